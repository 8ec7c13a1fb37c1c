import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark' | 'system'

const KEY = 'theme-preference'
const prefersLight = matchMedia('(prefers-color-scheme: light)')

// The same rules as in the blocking script, `public/assets/theme.js`.
function read(): Theme {
  try {
    const theme: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')?.state?.theme
    return theme === 'light' || theme === 'system' ? theme : 'dark'
  } catch {
    return 'dark'
  }
}

let theme = read()
const listeners = new Set<() => void>()

export function applyTheme(pathname = location.pathname): void {
  const wanted = theme === 'system' ? (prefersLight.matches ? 'light' : 'dark') : theme
  const resolved = /^\/(login|device)\//.test(pathname) ? 'dark' : wanted
  if (document.documentElement.dataset.theme !== resolved) {
    document.documentElement.dataset.theme = resolved
  }
}

prefersLight.addEventListener('change', () => applyTheme())
addEventListener('storage', (event) => {
  if (event.key !== KEY) return
  theme = read()
  applyTheme()
  listeners.forEach((listener) => listener())
})

export function setTheme(next: Theme): void {
  theme = next
  localStorage.setItem(KEY, JSON.stringify({ state: { theme }, version: 0 }))
  applyTheme()
  listeners.forEach((listener) => listener())
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => theme)
