import { type Capabilities, currentCapabilities } from './capabilities.ts'

interface Read<Answer> {
  queryKey: readonly unknown[]
  queryFn: () => Promise<Answer>
}

/**
 * A read of an extension. On a control plane without it, the plain operation of the API answers in
 * its place, with less: the fields that only the extension has are absent.
 */
export const orPlain = <Extended extends Read<unknown>, Plain>(
  needs: keyof Capabilities,
  extended: Extended,
  plain: Read<Plain>,
) => ({
  ...extended,
  queryFn: async (): Promise<Awaited<ReturnType<Extended['queryFn']>> | Plain> => {
    const has = await currentCapabilities()
    return has[needs]
      ? (extended.queryFn() as Promise<Awaited<ReturnType<Extended['queryFn']>>>)
      : plain.queryFn()
  },
})
