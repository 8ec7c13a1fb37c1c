/** The password of all users of the demo; undefined outside of the demo. */
export const demoPassword = import.meta.env.VITE_DEMO as string | undefined

/** A user that visitors of the demo can be, and the role that they try then. */
export type DemoPerson = { name: string; role: string }

type Demo = { people: readonly DemoPerson[]; become: (name: string) => Promise<void> }

let hostedPeople: Demo | undefined

/** Called by the host of the demo. */
export const hostPeople = (people: Demo['people'], become: Demo['become']): void => {
  hostedPeople = { people, become }
}

/** The people of the demo; none outside of it. */
export const demoPeople = (): Demo | undefined => (demoPassword ? hostedPeople : undefined)

/** Why an answer of the stand-in was refused, as an answer of a real provider would be. */
export interface ProviderRefusal {
  status: number
  message: string
  requestId: string
}

/** What stands in for an identity provider in the demo, which could not reach one. */
export interface DemoProvider {
  silo: string
  name: string
  /** Its users, and what signing in as them shows. */
  people: readonly { name: string; role: string }[]
  /**
   * Asks the control plane for its request to a provider, and brings it the answer.
   * @param path that a browser would be sent to the provider from
   * @returns where a browser would go on
   */
  signIn: (path: string, name: string) => Promise<{ location: string } | ProviderRefusal>
}

let hostedProvider: DemoProvider | undefined

/** Called by the host of the demo. */
export const hostProvider = (provider: DemoProvider): void => {
  hostedProvider = provider
}

/** Undefined outside of the demo. */
export const demoProvider = (): DemoProvider | undefined =>
  demoPassword ? hostedProvider : undefined
