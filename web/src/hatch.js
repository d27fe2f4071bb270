// Fills that differ in more than their colour.

/** A fill with hatching by its index: plain, diagonal, crossed. @param {string} color @param {number} nth @param {string} ink */
export function hatched(color, nth, ink) {
  if (nth % 3 === 0) return color;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 8;
  const draw = canvas.getContext('2d');
  draw.fillStyle = color;
  draw.fillRect(0, 0, 8, 8);
  draw.strokeStyle = ink;
  draw.lineWidth = 1.2;
  for (const [x1, y1, x2, y2] of [[-2, 2, 2, -2], [-2, 10, 10, -2], [6, 10, 10, 6], ...(nth % 3 === 2 ? [[-2, -2, 10, 10]] : [])]) {
    draw.beginPath();
    draw.moveTo(x1, y1);
    draw.lineTo(x2, y2);
    draw.stroke();
  }
  return { image: canvas, repeat: 'repeat' };
}
