// Runs before the first paint, outside the bundle, because the page's policy forbids inline scripts.
;(function () {
  var theme = 'system'
  try {
    var stored = JSON.parse(localStorage.getItem('theme-preference') || '{}')
    if (stored.state && stored.state.theme) theme = stored.state.theme
  } catch {
    // unreadable storage: the default stands
  }
  if (theme !== 'light' && theme !== 'dark') {
    theme = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
  }
  document.documentElement.dataset.theme = theme
})()
