// Reads what the HTML report carries with it, from this package and the chart library's. Loaded only by
// commands that write HTML.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { assert } from '../errors.ts';
import type { HtmlAssets, InlineAsset } from '../report/html/assets.ts';
import { packageFolder } from './package-version.ts';

/** Scripts and styles of the report's page, as they were built. */
export function readHtmlAssets(): HtmlAssets {
  const library = join(dirname(createRequire(import.meta.url).resolve('uplot/package.json')));
  const own = packageFolder();
  const chartLibrary = readText(join(library, 'dist', 'uPlot.iife.min.js'));
  // Its licence asks to go wherever the code goes.
  const license = readText(join(library, 'LICENSE'));
  return {
    chartLibrary: inline(`/*!\n${license}*/\n${chartLibrary}`),
    pageScript: inline(readText(join(own, 'dist', 'page', 'browser', 'page.js'))),
    style: inline(
      readText(join(library, 'dist', 'uPlot.min.css')) +
        readText(join(own, 'src', 'report', 'html', 'browser', 'page.css')),
    ),
  };
}

function inline(text: string): InlineAsset {
  assert(!/<\/(?:script|style)|<!--/i.test(text), 'an inlined script or style cannot end its element');
  return { text, sha256: createHash('sha256').update(text).digest('base64') };
}

/** With line ends as an HTML parser makes them, or the digest would not be that of what it sees. */
function readText(path: string): string {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
}
