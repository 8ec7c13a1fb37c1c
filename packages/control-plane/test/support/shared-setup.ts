/** Vitest runs a global setup for each of its projects; what these setups make is made once for all. */

interface Made<T> {
  value: T
  end: () => Promise<unknown>
}

interface Shared {
  made: Promise<Made<unknown>>
  users: number
}

// Each project loads the modules of its setups for itself.
const state = globalThis as { sharedSetups?: Map<string, Shared> }

/**
 * Makes something for the first of its users, who all are given it.
 * @returns it, and a function by which a user leaves it; the last one ends it
 */
export async function shareSetup<T>(
  name: string,
  make: () => Promise<Made<T>>,
): Promise<{ value: T; leave: () => Promise<void> }> {
  const all = (state.sharedSetups ??= new Map<string, Shared>())
  const shared = all.get(name) ?? { made: make(), users: 0 }
  all.set(name, shared)
  shared.users++
  const { value } = (await shared.made) as Made<T>
  return {
    value,
    async leave() {
      shared.users--
      if (shared.users > 0) return
      all.delete(name)
      await (await shared.made).end()
    },
  }
}
