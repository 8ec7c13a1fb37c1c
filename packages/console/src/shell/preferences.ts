import { createStore } from '../ui/store.ts'

/** The user's display preferences, stored in the browser and set on `<html>` for the styles. */
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

const preferences = createStore(read())
export const usePreferences = preferences.useValue

function mirror() {
  Object.assign(document.documentElement.dataset, preferences.get())
}
mirror()

export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  preferences.set({ ...preferences.get(), [key]: value })
  localStorage.setItem(KEY, JSON.stringify(preferences.get()))
  mirror()
}
