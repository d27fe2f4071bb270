// The page's filters: kernels by name, type, model and N, in the syntax of the command line. They also show the command
// that prints the same cases. The address has the filters after its target.

/** Parses the names of option `-k`: regular expressions for the whole name, separated by commas. Null if one is invalid.
 * @param {string} text */
export function matcher(text) {
  const parts = text.split(',').map((part) => part.trim()).filter(Boolean);
  if (parts.length === 0) return () => true;
  try {
    const expressions = parts.map((part) => new RegExp(`^(?:${part})$`));
    return (/** @type {string} */ name) => expressions.some((each) => each.test(name));
  } catch {
    return null;
  }
}

/** @typedef {{k: string, v: string, type: string, n: string}} Choice */

/** @param {Choice} choice @param {string} file */
export function command_of(choice, file) {
  const quoted = (text) => (/^[\w.,:/+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const parts = [['-k', choice.k], ['-v', choice.v], ['--type', choice.type], ['-n', choice.n]].filter(([, value]) => value);
  return ['sextant show', quoted(file), ...parts.map(([name, value]) => `${name} ${quoted(value)}`), '--by study'].join(' ');
}

/** "#triad-float&type=float" @param {string} hash @returns {{target: string, choice: Partial<Choice>}} */
export function parse_hash(hash) {
  const [target, ...rest] = hash.replace(/^#/, '').split('&');
  return { target, choice: Object.fromEntries(new URLSearchParams(rest.join('&'))) };
}

/** The index of each column of a table, by its key. @param {HTMLTableElement} table */
const columns_of = (table) => Object.fromEntries([...(table.tHead?.rows[0]?.cells ?? [])].map((cell, i) => [cell.dataset.key, i]));

/** True if a row matches the filters. Filters for columns that the table lacks are ignored. */
function fits(row, columns, choice, tests) {
  const text = (name) => (name in columns ? (row.cells[columns[name]]?.textContent.trim() ?? '') : null);
  const variant = text('variant'), model = text('model') ?? text('column');
  const kernel = text('kernel');
  if (kernel !== null && !tests.k(kernel.split(' ')[0])) return false;
  if (choice.type && text('type') !== null && text('type') !== choice.type) return false;
  if (choice.n && text('size') !== null && text('size') !== choice.n) return false;
  if (variant !== null) return tests.v(variant) || tests.v(variant.split('.')[0]);
  return model === null || tests.v(model.replace(/^(cpu|gpu) /, ''));
}

/** @param {HTMLFormElement} form */
export function filters(form) {
  form.hidden = false;
  const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  const blocks = [...document.querySelectorAll('details.kernel')];
  const tables = [...document.querySelectorAll('table.data')];
  const said = form.querySelector('output');
  const read = () => /** @type {Choice} */ (Object.fromEntries(['k', 'v', 'type', 'n'].map((name) => [name, field(name).value.trim()])));

  function apply() {
    const choice = read(), tests = { k: matcher(choice.k), v: matcher(choice.v) };
    field('k').setAttribute('aria-invalid', String(!tests.k));
    field('v').setAttribute('aria-invalid', String(!tests.v));
    if (!tests.k || !tests.v) return;
    let left = 0;
    for (const block of blocks) {
      const models = (block.dataset.models ?? '').split(',').map((name) => name.replace(/^(cpu|gpu) /, ''));
      const with_variant = choice.v.includes('.'); // the rows of its tables decide
      block.hidden = !(tests.k(block.dataset.kernel) && (!choice.type || choice.type === block.dataset.type) && (with_variant || models.some(tests.v)));
      if (!block.hidden) ++left;
    }
    for (const table of tables) {
      const columns = columns_of(table);
      for (const row of table.tBodies[0]?.rows ?? []) row.hidden = !fits(row, columns, choice, tests);
    }
    said.textContent = `${left} of ${blocks.length} · ${command_of(choice, form.dataset.file)}`;
    const { target } = parse_hash(location.hash);
    const query = new URLSearchParams(Object.entries(choice).filter(([, value]) => value)).toString();
    if (query || location.hash.includes('&')) history.replaceState(null, '', `#${target}${query ? `&${query}` : ''}`);
  }
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => event.preventDefault());

  /** Applies the address: its filters and its target. */
  function follow() {
    const { target, choice } = parse_hash(location.hash);
    let chosen = false;
    for (const [name, value] of Object.entries(choice)) {
      const input = field(name);
      if (!input || input.value === value) continue;
      input.value = value;
      chosen = true;
    }
    if (chosen) apply();
    const element = target ? document.getElementById(decodeURIComponent(target)) : null;
    for (let each = element; each; each = each.parentElement) if (each instanceof HTMLDetailsElement) each.open = true;
    if (element && (chosen || location.hash.includes('&') || element instanceof HTMLDetailsElement)) element.scrollIntoView();
  }
  addEventListener('hashchange', follow);
  apply();
  follow();
}
