import { useQuery } from '@tanstack/react-query'
import { client } from './client.ts'

/** Which extensions the control plane has. One that is not ours has none. */
export type Capabilities = {
  importResume: boolean
  rawImport: boolean
  diskContents: boolean
  lists: boolean
  jobs: boolean
  deletion: boolean
  serialConsoleResume: boolean
}

export const capabilitiesQuery = {
  queryKey: ['capabilitiesView', {}] as const,
  queryFn: async (): Promise<Capabilities> => {
    const answer = await client.capabilitiesView()
    const known: Partial<Capabilities> = answer.type === 'success' ? answer.data : {}
    return {
      importResume: known.importResume === true,
      rawImport: known.rawImport === true,
      diskContents: known.diskContents === true,
      lists: known.lists === true,
      jobs: known.jobs === true,
      deletion: known.deletion === true,
      serialConsoleResume: known.serialConsoleResume === true,
    }
  },
  staleTime: Infinity,
}

/** Whether the control plane has an extension; false until it is known. */
export const useCapability = (name: keyof Capabilities): boolean =>
  useQuery(capabilitiesQuery).data?.[name] === true
