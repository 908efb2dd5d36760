/** Bars, as SVG. */

const width = 760;
const labelWidth = 250;
const valueWidth = 90;
const barHeight = 15;
const barGap = 3;
const groupGap = 16;
const top = 64;

/** For light and dark pages; each color can be told from the background and from its neighbors. */
const themes = {
  light: { text: '#1f2328', faint: '#59636e', other: '#8c959f', bare: '#6cb6ff', ours: '#cf5b00' },
  dark: { text: '#f0f6fc', faint: '#9198a1', other: '#656c76', bare: '#388bfd', ours: '#f0883e' },
};

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/**
 * Horizontal bars in groups.
 * @param {object} chart
 * @param {string} chart.title
 * @param {string[]} chart.series names of the bars of each group
 * @param {{ label: string, values: (number | undefined)[] }[]} chart.groups
 * @param {(value: number) => string} chart.shown
 * @param {'light' | 'dark'} theme
 */
export function barChart({ title, series, groups, shown }, theme) {
  const { text, faint, other, ...own } = themes[theme];
  const colors = series.map((name) => own[name] ?? other);
  const most = Math.max(...groups.flatMap(({ values }) => values.filter((value) => value !== undefined)));
  const scale = (width - labelWidth - valueWidth) / most;
  let y = top;
  const drawn = groups.map(({ label, values }) => {
    const from = y;
    const lines = values.flatMap((value, index) => {
      if (value === undefined) return [];
      const length = Math.max(1, value * scale);
      const at = y;
      y += barHeight + barGap;
      return [
        `<rect x="${labelWidth}" y="${at}" width="${length.toFixed(1)}" height="${barHeight}" rx="2" fill="${colors[index]}"/>`,
        `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${at + 12}" fill="${faint}">${escaped(shown(value))}</text>`,
      ];
    });
    const middle = (from + y - barGap) / 2 + 4;
    y += groupGap;
    return [
      `<text x="${labelWidth - 10}" y="${middle}" fill="${text}" text-anchor="end">${escaped(label)}</text>`,
      ...lines,
    ];
  });
  const keys = series.map((name, index) => {
    const x = labelWidth + index * 160;
    return `<rect x="${x}" y="36" width="11" height="11" rx="2" fill="${colors[index]}"/><text x="${x + 17}" y="46" fill="${faint}">${escaped(name)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<text x="0" y="18" font-size="15" font-weight="600" fill="${text}">${escaped(title)}</text>`,
    ...keys,
    ...drawn.flat(),
    '</svg>',
    '',
  ].join('\n');
}
