/** Changes to libraries, in the builds of the console and of the demo. */
import type { Plugin } from 'vite'

/** Replaces a text of a module. The build fails if a new version no longer has it. */
const replaceIn = (name: string, id: RegExp, text: string, replacement: string): Plugin => ({
  name,
  apply: 'build',
  transform: {
    filter: { id },
    handler(code) {
      if (!code.includes(text)) this.error(`${name}: the library has changed`)
      return { code: code.replace(text, replacement), map: null }
    },
  },
})

export const libraryChanges = [
  // The console restores scroll positions by itself (`src/shell/scroll.ts`).
  replaceIn(
    'router-without-scroll-restoration',
    /@tanstack[\\/]router-core[\\/]dist[\\/]esm[\\/]router\.js$/,
    'if (!(isServer ?? this.isServer)) setupScrollRestoration(this)',
    '',
  ),
  // No screen sends H.264. noVNC asks the browser for it in a top-level `await`, and with one of
  // these anywhere the start is split into three files.
  replaceIn(
    'novnc-without-h264',
    /@novnc[\\/]novnc[\\/]core[\\/]util[\\/]browser\.js$/,
    'supportsWebCodecsH264Decode = await _checkWebCodecsH264DecodeSupport()',
    '',
  ),
  // Chromium calls its language `en-US@posix` in the locale C, which is no language tag: uPlot would
  // take the page with the chart away.
  replaceIn(
    'uplot-in-any-locale',
    /uplot[\\/]dist[\\/]uPlot\.esm\.js$/,
    "new Intl.NumberFormat(domEnv ? nav.language : 'en-US')",
    'new Intl.NumberFormat()',
  ),
]
