/**
 * Imported before uPlot, which formats numbers for `navigator.language` as it loads. On systems
 * without a language of their own, browsers state one that no format takes: `en-US@posix`.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true })
}
