import { client } from './client.ts'

/** Which extensions the control plane has. One that is not ours has none. */
export type Capabilities = {
  importResume: boolean
  diskContents: boolean
  lists: boolean
  serialConsoleResume: boolean
}

export const capabilitiesQuery = {
  queryKey: ['capabilitiesView', {}] as const,
  queryFn: async (): Promise<Capabilities> => {
    const answer = await client.capabilitiesView()
    const known: Partial<Capabilities> = answer.type === 'success' ? answer.data : {}
    return {
      importResume: known.importResume === true,
      diskContents: known.diskContents === true,
      lists: known.lists === true,
      serialConsoleResume: known.serialConsoleResume === true,
    }
  },
  staleTime: Infinity,
}
