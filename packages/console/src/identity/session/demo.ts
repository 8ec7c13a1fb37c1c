import type { MenuAction } from '../../ui/menu-action.ts'

/** Password of all demo users; undefined outside of the demo. */
export const demoPassword = import.meta.env.VITE_DEMO as string | undefined

/** A user that visitors of the demo can become, with the role to try. */
export type DemoPerson = { name: string; role: string }

type Demo = { people: readonly DemoPerson[]; become: (name: string) => Promise<void> }

let hostedPeople: Demo | undefined

/** Called by the host of the demo. */
export const setDemoPeople = (people: Demo['people'], become: Demo['become']): void => {
  hostedPeople = { people, become }
}

/** A new page begins with the cloud of the build, which may lack what this page shows. */
export const resetDemo: MenuAction = {
  label: 'Reset the demo',
  local: true,
  onAction: () => location.assign('/'),
}

/** Users of the demo; none outside of it. */
export const demoPeople = (): Demo | undefined => (demoPassword ? hostedPeople : undefined)

let tour = () => {}

/** Called by the host of the demo. */
export const setDemoTour = (open: () => void): void => {
  tour = open
}

/** Opens the tour of the demo. */
export const openDemoTour = (): void => tour()

/** Reason for a refused response of the simulated provider, as for a real one. */
export interface ProviderRefusal {
  status: number
  message: string
  requestId: string
}

/** Simulated identity provider of the demo, which could not reach a real one. */
export interface DemoProvider {
  silo: string
  name: string
  /** Its users, and the role that each demonstrates. */
  people: readonly { name: string; role: string }[]
  /**
   * Obtains the control plane's request to the provider, and delivers the response.
   * @param path path from which a browser would be redirected to the provider
   * @returns the target of the next redirect
   */
  signIn: (path: string, name: string) => Promise<{ location: string } | ProviderRefusal>
}

let hostedProvider: DemoProvider | undefined

/** Called by the host of the demo. */
export const setDemoProvider = (provider: DemoProvider): void => {
  hostedProvider = provider
}

/** Undefined outside of the demo. */
export const demoProvider = (): DemoProvider | undefined =>
  demoPassword ? hostedProvider : undefined
