/** The password of all users of the demo; undefined outside of the demo. */
export const demoPassword = import.meta.env.VITE_DEMO as string | undefined

/** A user that visitors of the demo can be, and the role that they try then. */
export type DemoPerson = { name: string; role: string }

type Demo = { people: readonly DemoPerson[]; become: (name: string) => Promise<void> }

let hosted: Demo | undefined

/** Called by the host of the demo. */
export const hostPeople = (people: Demo['people'], become: Demo['become']): void => {
  hosted = { people, become }
}

/** The people of the demo; none outside of it. */
export const demoPeople = (): Demo | undefined => (demoPassword ? hosted : undefined)
