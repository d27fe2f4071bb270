// Tests without a browser: units, axis marks, laws, sorting, CSV and model names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { log_ends, log_marks } from '../src/axes.js';
import { amdahl, break_even, gustafson, speedup_with_reuse } from '../src/laws.js';
import { place_names } from '../src/roofline.js';
import { command_of, matcher, parse_hash } from '../src/filters.js';
import { compare, number_of, to_csv } from '../src/tables.js';
import { model_of, styles_of, text_on, theme_of } from '../src/theme.js';
import { format, shortened, tick, with_interval } from '../src/units.js';

test('values have three digits and the prefix of their unit', () => {
  for (const [value, unit, text] of [
    [1.234e-6, 's', '1.23 µs'], [0.9996e-6, 's', '1.00 µs'], [12e-9, 's', '12.0 ns'], [2.5, 's', '2.50 s'], [3000, 's', '3000 s'], [0, 's', '0 s'],
    [3.35e12, 'B/s', '3.35 TB/s'], [999.6e9, 'B/s', '1.00 TB/s'], [0.5, 'B/s', '0.50 B/s'], [6.7e13, 'FLOP/s', '67.0 TFLOP/s'], [2048, 'B', '2.00 KiB'], [100, 'B', '100 B'],
    [0.256, '%', '25.6 %'], [130560, '', '130560'], [12.345, '', '12.3'], [0.0021, '', '0.0021'], [1e-7, '', '1e-7'], [null, 's', '–'], [NaN, '', '–'], ['<b>', 's', '–'], [Infinity, 'B/s', '–'],
  ]) assert.equal(format(value, unit), text);
  assert.equal(with_interval(2e-6, 1e-6, 3e-6, 's'), '2.00 µs  (1.00 µs – 3.00 µs)');
  assert.equal(with_interval(2e-6, null, 3e-6, 's'), '2.00 µs');
});

test('marks are short', () => {
  for (const [value, unit, text] of [[1e-5, 's', '10 µs'], [2e9, 'B/s', '2 GB/s'], [100000, '', '100000'], [1e8, '', '100000000'], [5000, '', '5000'], [0.5, '', '0.5'], [0.2, '%', '20 %'], [0.1 + 0.2, '', '0.3'], [1e-6, '', '1e-6']])
    assert.equal(tick(value, unit), text);
});

test('a name without room keeps its end', () => {
  assert.equal(shortened('stencil2d_4pt float, 2 threads', 20), 'stencil2d… 2 threads');
  assert.equal(shortened('triad float', 20), 'triad float');
});

test('logarithmic marks are inside the ends, neither too many nor none', () => {
  for (const [low, high] of [[1, 10], [7936, 9437184], [1e-9, 1e9], [0.9, 1.1], [3, 3], [1e-300, 1e300]]) {
    const [from, to] = log_ends([low, high]);
    assert.ok(from < low && to > high && Number.isFinite(to), `${low} ${high}`);
    const marks = log_marks(from, to);
    assert.ok(marks.length >= 1 && marks.length <= 8, `${low}–${high}: ${marks}`);
    assert.ok(marks.every((mark) => mark >= from * 0.999 && mark <= to * 1.001));
  }
  assert.deepEqual(log_marks(1, 10), [1, 2, 5, 10]);
});

test('laws agree with hand-made figures', () => {
  assert.equal(amdahl(0.5, 2), 1 / 0.75);
  assert.equal(amdahl(1, 8), 8);
  assert.ok(Math.abs(amdahl(0.8, Infinity) - 5) < 1e-12);
  assert.equal(gustafson(0.5, 9), 5);
  assert.equal(amdahl(0.5, 0), 0);
  assert.equal(speedup_with_reuse(10, 1, 8, 2), 2);
  assert.equal(break_even(10, 1, 8), 1);
  assert.equal(break_even(10, 1, 9), 2); // one execution is only as fast as the baseline
  assert.equal(break_even(10, 1, 90), 11);
  assert.equal(break_even(1, 2, 1), null);
  assert.equal(break_even(1, 0, 1), null);
});

test('missing values come last in both directions', () => {
  const values = ['10', '', '9', 'x', '-1'];
  assert.deepEqual([...values].sort((a, b) => compare(a, b, true, 1)), ['-1', '9', '10', '', 'x']);
  assert.deepEqual([...values].sort((a, b) => compare(a, b, true, -1)), ['10', '9', '-1', '', 'x']);
  assert.deepEqual(['b10', 'a', '', 'b9'].sort((a, b) => compare(a, b, false, 1)), ['a', 'b9', 'b10', '']);
});

test('a number is read with its unit', () => {
  for (const [text, value] of [['12.3 µs', 1.23e-5], ['4.35 TB/s', 4.35e12], ['9.34x ±29%', 9.34], ['36.5 %', 0.365], ['1.50 GiB', 1.5 * 2 ** 30], ['512 B', 512], ['66.7 TFLOP/s', 6.67e13], ['7936', 7936], ['1.5 ms ± 2 %', 1.5e-3], ['2 s', 2],
    ['8.76 GB/s', 8.76e9], ['100 FLOP/s', 100], ['0.0021x', 0.0021], ['553 G items/s', 5.53e11], ['3 runs', 3], ['-2.5', -2.5]])
    assert.equal(number_of(text), value, text);
  for (const text of ['never', '', '> 99 %', 'x']) assert.ok(Number.isNaN(number_of(text)), text);
});

test('names are chosen as the command line chooses them', () => {
  const test_ = matcher('triad, mat.*');
  assert.deepEqual(['triad', 'matmul', 'matvec', 'triads', 'amat'].map(test_), [true, true, true, false, false]);
  assert.equal(matcher('(')?.('x'), undefined);
  assert.ok(matcher('')('anything'));
  assert.equal(command_of({ k: 'mat.*', v: 'cuda', type: 'float', n: '7936' }, 'my file.sextant'), "sextant show 'my file.sextant' -k 'mat.*' -v cuda --type float -n 7936 --by study");
  assert.deepEqual(parse_hash('#triad-float&k=triad&n=7936'), { target: 'triad-float', choice: { k: 'triad', n: '7936' } });
});

test('CSV quotes what needs it', () => {
  assert.equal(to_csv([['a', 'b'], ['1,5', 'say "x"'], ['two\nlines', '']]), 'a,b\r\n"1,5","say ""x"""\r\n"two\nlines",\r\n');
});

test('models have one colour each, whatever stands behind their names', () => {
  for (const [name, model] of [['cuda', 'cuda'], ['cuda.shared', 'cuda'], ['CUDA, pinned, in', 'cuda'], ['gpu library', 'gpu library'], ['openacc, published (RTX 3080)', 'openacc'], ['serial.baseline', 'serial'], ['cudaesque', null], ['__proto__', null], ['tie', 'tie'], ['library', 'gpu library']])
    assert.equal(model_of(name), model, name);
  for (const dark of [false, true]) {
    const theme = theme_of(dark);
    assert.equal(new Set(Object.values(theme.models)).size, Object.keys(theme.models).length);
    const [first, second, ceiling] = styles_of(['cuda', 'cuda, published (RTX 3080)', 'ceiling of the GPU'], theme);
    assert.equal(first.color, second.color);
    assert.notDeepEqual(first.dash, second.dash);
    assert.equal(ceiling.symbol, 'none');
  }
  assert.equal(text_on('#fde725'), '#10151b');
  assert.equal(text_on('#482878'), '#ffffff');
});

test('names of lines cover neither points nor each other', () => {
  const line = (y, texts) => ({ from: [0, y], to: [400, y], at_end: false, texts });
  const [first, second, third] = place_names([line(100, ['12345678901234567890']), line(104, ['12345678901234567890']), line(108, ['12345678901234567890123456789012345', '123'])], [[10, 95], [60, 95]]);
  assert.ok(first.x > 60, 'past the points');
  assert.ok(second.x > first.x + 120 || second.x + 120 < first.x, 'beside the first');
  assert.ok(third === null || third.text === '123', 'no room for the long text');
  assert.deepEqual(place_names([line(100, ['much too long a text for such a line, or for any other line as short as this one is'])], []), [null]);
});
