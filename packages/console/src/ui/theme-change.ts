/** Calls back when the theme of the page changes, or colours are forced or no longer forced. */
export function onThemeChange(run: () => void): () => void {
  const observer = new MutationObserver(run)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const forced = matchMedia('(forced-colors: active)')
  forced.addEventListener('change', run)
  return () => {
    observer.disconnect()
    forced.removeEventListener('change', run)
  }
}
