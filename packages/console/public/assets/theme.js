// Sets on `<html>` what the first paint needs. Outside the bundle, which comes later, and in a file,
// because the page's policy forbids inline scripts.
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
  var dataset = document.documentElement.dataset
  dataset.theme = theme
  try {
    Object.assign(dataset, JSON.parse(localStorage.getItem('display-preferences') || '{}'))
  } catch {
    // as above
  }
  if (/^\/(login|device)\//.test(location.pathname)) dataset.opened = 'sign-in'
})()
