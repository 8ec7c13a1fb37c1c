import { useSyncExternalStore } from 'react'

/** Choices about the look of the console, kept in the browser and mirrored on `<html>` for the styles. */
type Preferences = { density: 'comfortable' | 'compact'; sidebar: 'wide' | 'narrow' }

const KEY = 'display-preferences'
const defaults: Preferences = { density: 'comfortable', sidebar: 'wide' }

function read(): Preferences {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    return defaults
  }
}

let preferences = read()
const listeners = new Set<() => void>()

function mirror() {
  Object.assign(document.documentElement.dataset, preferences)
}
mirror()

export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  preferences = { ...preferences, [key]: value }
  localStorage.setItem(KEY, JSON.stringify(preferences))
  mirror()
  listeners.forEach((listener) => listener())
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, () => preferences)
