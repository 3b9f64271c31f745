// What the page needs besides the run: scripts and style sheets as text. They are files of packages, so the
// command line reads them.

/** A script with the digest by which the page's content security policy admits it, and nothing else. */
export interface InlineAsset {
  readonly text: string;
  /** SHA-256 of the text, in base64. */
  readonly sha256: string;
}

export interface HtmlAssets {
  /** Defines `uPlot` for the page's own script. */
  readonly chartLibrary: InlineAsset;
  /** The page's own script, a module. */
  readonly pageScript: InlineAsset;
  /** The chart library's and the page's own style. */
  readonly style: InlineAsset;
}
