// The script of the report's page: draws the charts that the page carries as data, and minds theme, printing and the choice of variants.
// One module without imports at run time, since a page opened from disk can load none.
import type { ChartLine, ChartSpec } from '../chart-spec.ts';

type Plot = InstanceType<typeof uPlot>;

interface Drawn {
  readonly spec: ChartSpec;
  readonly element: HTMLElement;
  plot: Plot | null;
}

const HEIGHT = 260;
/** Above the highest line, where the names of stages stand. */
const HEADROOM = 1.15;
const COLORS = 8;

const THEMES = ['automatic', 'light', 'dark'] as const;
const THEME_KEY = 'dyno-load-report-theme';
const MOST_DIGITS = 4;

const drawn: Drawn[] = readSpecs().flatMap((spec) => {
  const element = document.getElementById(spec.id);
  return element === null ? [] : [{ spec, element, plot: null }];
});
const hiddenVariants = new Set<number>();

chooseTheme();
chooseVariants();
drawAll();
new ResizeObserver(fitAll).observe(document.body);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
// Paper is white whatever the screen was.
addEventListener('beforeprint', () => withTheme('light', drawAll));
addEventListener('afterprint', () => withTheme(storedTheme(), drawAll));

function readSpecs(): readonly ChartSpec[] {
  // The page's own data, written beside this script by the code that declares the type.
  return JSON.parse(document.getElementById('charts')?.textContent ?? '[]') as readonly ChartSpec[];
}

function drawAll(): void {
  for (const chart of drawn) {
    chart.plot?.destroy();
    chart.plot = draw(chart.spec, chart.element);
  }
}

function fitAll(): void {
  for (const { plot, element } of drawn) {
    const width = element.clientWidth;
    if (plot !== null && width > 0 && width !== plot.width) plot.setSize({ width, height: HEIGHT });
  }
}

function draw(spec: ChartSpec, element: HTMLElement): Plot {
  const quiet = colorOf('chart-quiet');
  const axis = { stroke: quiet, grid: { stroke: colorOf('chart-grid'), width: 1 }, ticks: { show: false } };
  const isNines = spec.x.kind === 'nines';
  return new uPlot(
    {
      width: Math.max(element.clientWidth, 200),
      height: HEIGHT,
      legend: { live: true, markers: { width: 2 } },
      cursor: { y: false, drag: { x: false, y: false }, ...(isNines ? {} : { sync: { key: 'time' } }) },
      scales: {
        x: { time: false, range: (_, low, high) => [low, Math.max(high, low + 1)] },
        y: spec.y.isLogarithmic
          ? { distr: uPlot.Scale.Distr.Logarithmic }
          : { range: (_, __, high) => [0, high > 0 ? high * HEADROOM : 1] },
      },
      axes: [
        {
          ...axis,
          size: 34,
          ...(isNines
            ? { splits: nineSplits, values: (_: Plot, at: number[]) => at.map(percentOf) }
            : { values: (_: Plot, at: number[]) => at.map((seconds) => `${seconds} s`) }),
        },
        { ...axis, size: 64, values: (_, at) => at.map((value) => axisLabel(value, spec.y.isLogarithmic)) },
      ],
      series: [
        { label: isNines ? 'percentile' : 'time', value: (_, at) => xText(spec, at) },
        ...spec.lines.map((line) => seriesOf(line, spec.y.unit)),
      ],
      hooks: { drawClear: [(plot) => shade(plot, spec)] },
    },
    [[...spec.x.values], ...spec.lines.map((line) => [...line.values])],
    element,
  );
}

function seriesOf(line: ChartLine, unit: string): uPlot.Series {
  const { variantIndex } = line;
  const color = variantIndex === null ? colorOf('chart-quiet') : colorOf(`v${variantIndex % COLORS}`);
  const usesColorsAgain = variantIndex !== null && Math.floor(variantIndex / COLORS) % 2 === 1;
  return {
    label: line.label,
    stroke: color,
    width: variantIndex === null ? 1.5 : 2,
    show: variantIndex === null || !hiddenVariants.has(variantIndex),
    points: { show: false },
    ...(line.isDashed ? { dash: [5, 4] } : usesColorsAgain ? { dash: [10, 4] } : {}),
    value: (_, value) => (value === null ? '–' : `${figure(value)} ${unit}`),
  };
}

/** Fills spans that do not count behind everything else, and names them where there is room. */
function shade(plot: Plot, { shaded }: ChartSpec): void {
  const { ctx, bbox } = plot;
  for (const { from, to, label } of shaded) {
    const left = Math.max(bbox.left, plot.valToPos(from, 'x', true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(to, 'x', true));
    if (right <= left) continue;
    ctx.save();
    ctx.fillStyle = colorOf('chart-shade');
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.fillStyle = colorOf('chart-quiet');
    const inset = 6 * devicePixelRatio;
    if (ctx.measureText(label).width < right - left - 2 * inset) {
      ctx.fillText(label, left + inset, bbox.top + 3 * inset);
    }
    ctx.restore();
  }
}

function xText({ x }: ChartSpec, at: number | null): string {
  if (at === null) return '–';
  return x.kind === 'nines' ? percentOf(at) : `${figure(at)} s`;
}

/** The median, then each nine: less than the median is crowded into the first tenth of the axis. */
function nineSplits(_: Plot, __: number, low: number, high: number): number[] {
  const nines = [Math.log10(2)];
  for (let nine = 1; nine <= Math.ceil(high); nine++) nines.push(nine);
  return nines.filter((at) => at >= low && at <= high + 1e-9);
}

/** 2 nines as `99 %`; between the nines as many digits as tell neighbours apart. */
function percentOf(nines: number): string {
  const digits = Math.max(0, Math.ceil(nines - 1 - 1e-9));
  const share = 100 - 100 * 10 ** -nines;
  return `${Number(share.toFixed(Number.isInteger(nines) ? digits : digits + 1))} %`;
}

/**
 * A logarithmic axis offers more places than there is room for: 1, 2 and 5 of each power of ten are named. Those
 * that the library itself leaves out come as null, whatever its types say.
 */
function axisLabel(value: number | null, isLogarithmic: boolean): string {
  if (value === null) return '';
  if (isLogarithmic) {
    const first = Number(value.toExponential().charAt(0));
    if (first !== 1 && first !== 2 && first !== 5) return '';
  }
  return figure(value);
}

function figure(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: MOST_DIGITS });
}

/** The colour that the style sheet gives to a class in the theme at hand; a canvas cannot read custom properties. */
function colorOf(className: string): string {
  const probe = document.createElement('i');
  probe.className = className;
  probe.hidden = true;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function chooseVariants(): void {
  const choice = document.getElementById('choice');
  if (choice === null) return;
  choice.hidden = false;
  choice.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const variant = Number(target.value);
    if (target.checked) hiddenVariants.delete(variant);
    else hiddenVariants.add(variant);
    for (const { spec, plot } of drawn) {
      for (const [at, line] of spec.lines.entries()) {
        if (line.variantIndex === variant) plot?.setSeries(at + 1, { show: target.checked });
      }
    }
  });
}

function chooseTheme(): void {
  const button = document.getElementById('theme');
  if (button === null) return;
  button.hidden = false;
  const show = (theme: string): void => {
    withTheme(theme, () => undefined);
    button.textContent = `Theme: ${theme}`;
  };
  show(storedTheme());
  button.addEventListener('click', () => {
    const at = THEMES.findIndex((theme) => theme === storedTheme());
    const next = THEMES[(at + 1) % THEMES.length] ?? 'automatic';
    storeTheme(next);
    show(next);
    drawAll();
  });
}

function withTheme(theme: string, then: () => void): void {
  if (theme === 'automatic') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  then();
}

function storedTheme(): string {
  return document.body.dataset.theme ?? readSetting() ?? 'automatic';
}

function storeTheme(theme: string): void {
  document.body.dataset.theme = theme;
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // A page from disk may have no storage; the choice then lasts as long as the page.
  }
}

function readSetting(): string | undefined {
  try {
    const stored = localStorage.getItem(THEME_KEY);
    return THEMES.find((theme) => theme === stored);
  } catch {
    // As above.
    return undefined;
  }
}
