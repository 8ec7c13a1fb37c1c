/** The parts that only some engines have. */

/** Explains simulated machines. */
export const simulatedMeaning = 'Simulated machines boot and have a shell, but run no code.'

/** Beside the commands that reach real machines. */
export const simulatedSilence = 'This machine is simulated: nothing answers at its addresses.'

/**
 * Parts that only some engines have. An engine without one cannot carry out the operations that
 * need it.
 */
export const engineParts = [
  'uplinks',
  'updates',
  'power',
  'multicast',
  'displays',
  'migration',
  'enrolment',
  'storagePools',
  'fencing',
  'replicas',
] as const
export type EnginePart = (typeof engineParts)[number]

const subjects: Record<EnginePart, string> = {
  uplinks: 'Switches and their uplinks are',
  updates: 'System updates are',
  power: 'Power shelves are',
  multicast: 'Multicast is',
  displays: 'Screens of instances are',
  migration: 'Moves of running instances are',
  enrolment: 'Adding hosts is',
  storagePools: 'Storage pools are',
  fencing: 'Fencing hosts is',
  replicas: 'Replicas of disks are',
}

/**
 * Message of the 501, and of the page, about a part that the engine lacks.
 * @param engine its name
 */
export const notWithEngine = (part: EnginePart, engine: string): string =>
  `${subjects[part]} not available with this engine (${engine}).`
