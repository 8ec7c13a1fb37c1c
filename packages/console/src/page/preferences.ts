import { currentCapabilities, useCapability } from '../data/capabilities.ts'
import { createStore } from '../ui/store.ts'

/** The user's display preferences, stored in the browser and set on `<html>` for the styles. */
type Preferences = {
  density: 'comfortable' | 'compact'
  sidebar: 'wide' | 'narrow'
  /** First page of a project, a silo and the fleet. */
  landing: 'lists' | 'overview'
  /** Groups of the sidebar that the user opened or closed. */
  groups: Record<string, boolean>
  /** Links in the group of starred and recent resources, as last shown. */
  shortcuts: number
}

const KEY = 'display-preferences'
const defaults: Preferences = {
  density: 'comfortable',
  sidebar: 'wide',
  landing: 'lists',
  groups: {},
  shortcuts: 0,
}

function read(): Preferences {
  try {
    return { ...defaults, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    return defaults
  }
}

export const preferences = createStore(read())
export const usePreferences = preferences.useValue

function mirror() {
  const { density, sidebar } = preferences.get()
  Object.assign(document.documentElement.dataset, { density, sidebar })
}
mirror()

export function setPreference<K extends keyof Preferences>(key: K, value: Preferences[K]): void {
  preferences.set({ ...preferences.get(), [key]: value })
  localStorage.setItem(KEY, JSON.stringify(preferences.get()))
  mirror()
}

/** Whether overviews are the first pages. A control plane without overviews has lists. */
export function useBeginsWithOverviews(): boolean {
  const { landing } = usePreferences()
  return useCapability('overviews') && landing === 'overview'
}

/** For redirects. */
export const beginsWithOverviews = async (): Promise<boolean> =>
  preferences.get().landing === 'overview' && (await currentCapabilities()).overviews === true
