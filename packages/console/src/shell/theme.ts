import { createStore } from '../ui/store.ts'

export type Theme = 'light' | 'dark' | 'system'

const KEY = 'theme-preference'
const prefersLight = matchMedia('(prefers-color-scheme: light)')

// The same rules as in the blocking script, `public/assets/theme.js`.
function read(): Theme {
  try {
    const theme: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')?.state?.theme
    return theme === 'light' || theme === 'dark' ? theme : 'system'
  } catch {
    return 'system'
  }
}

const chosen = createStore(read())
export const useTheme = chosen.useValue

export function applyTheme(): void {
  const theme = chosen.get()
  const resolved = theme === 'system' ? (prefersLight.matches ? 'light' : 'dark') : theme
  if (document.documentElement.dataset.theme !== resolved) {
    document.documentElement.dataset.theme = resolved
  }
}

prefersLight.addEventListener('change', applyTheme)
addEventListener('storage', (event) => {
  if (event.key !== KEY) return
  chosen.set(read())
  applyTheme()
})

export function setTheme(theme: Theme): void {
  chosen.set(theme)
  localStorage.setItem(KEY, JSON.stringify({ state: { theme }, version: 0 }))
  applyTheme()
}
