import type { Capabilities as Answer } from '@steading/api/client'
import type { EnginePart, ImageFormat, NetworkNeed } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { hasDocs, passwordMin } from '../ui/server-state.ts'
import { optional, prefetch, queryClient } from './api.ts'
import { client } from './client.ts'
import { logApiError, toApiError } from './errors.ts'
import { rememberExtensions } from './known-extensions.ts'
import { retryDelay, wait } from './throttle.ts'

type Flags = {
  [Name in keyof Answer]: Answer[Name] extends boolean ? Name : never
}
type Extension = Flags[keyof Answer]

/** Supported extensions of the control plane. Other implementations have none. */
export type Capabilities = { readonly [Name in Extension]?: boolean } & {
  /** The engine, and the parts that it lacks. Other implementations do not say. */
  engine:
    | {
        name: string
        isSimulated: boolean
        lacks: readonly EnginePart[]
        /** Abilities that it lacks; firewall rules that depend on one are not enforced. */
        networkLacks: readonly NetworkNeed[]
        /** Why no real packets are sent; null if they are. */
        packetProblem: string | null
      }
    | undefined
  /** Formats of images that the control plane converts. */
  imageFormats: readonly ImageFormat[]
}

const none: Capabilities = { engine: undefined, imageFormats: [] }

/** Whether retrying may help. A control plane without capabilities answers 404, or an HTML page. */
const isTemporary = (status: number): boolean =>
  status >= 500 || status === 401 || status === 408 || status === 429

/** Fails if the control plane could not answer; an answer is valid for the life of the tab. */
const capabilitiesQuery = {
  queryKey: ['capabilitiesView', {}] as const,
  queryFn: async (): Promise<Capabilities> => {
    const answer = await client.capabilitiesView()
    if (answer.type === 'success') {
      hasDocs.set(answer.data.docs)
      passwordMin.set(answer.data.passwordMin)
      rememberExtensions(true)
      const { engine: name, simulation, engineLacks: lacks, networkLacks } = answer.data
      const packetProblem = answer.data.realPacketsProblem
      const engine = { name, isSimulated: simulation, lacks, networkLacks, packetProblem }
      return { ...answer.data, engine }
    }
    if (!isTemporary(answer.status)) {
      rememberExtensions(false)
      return none
    }
    const error = toApiError('capabilitiesView', answer)
    logApiError(error, true)
    throw error
  },
  staleTime: Infinity,
}

/** For running loaders without a control plane: assumes all extensions, or none. */
export const assumeCapabilities = (all: boolean): void =>
  void queryClient.setQueryData<Capabilities>(
    capabilitiesQuery.queryKey,
    all
      ? new Proxy(none, { get: (known, name) => Reflect.get(known, name) ?? !(name in known) })
      : none,
  )

/** Current knowledge: no capabilities if the control plane could not answer. */
export const currentCapabilities = (): Promise<Capabilities> =>
  queryClient.ensureQueryData(capabilitiesQuery).catch(() => none)

/** Retries until the control plane answers. Components that use a capability then render again. */
export async function answeredCapabilities(): Promise<Capabilities> {
  for (let failures = 1; ; failures++) {
    try {
      return await queryClient.ensureQueryData(capabilitiesQuery)
    } catch {
      await wait(retryDelay(failures))
    }
  }
}

/** For route loaders: optional reads of an extension. */
export async function prefetchExtension(
  needs: Extension,
  ...queries: Parameters<typeof optional>[0][]
): Promise<void> {
  const has = await currentCapabilities()
  if (has[needs]) await prefetch(...queries.map(optional))
}

/** An item that exists only with an extension of the control plane, or a part of its engine. */
export interface Needing {
  needs?: Extension
  part?: EnginePart
}

/** Why an item does not exist; undefined if it does. */
export function lackOf(
  { needs, part }: Needing,
  has: Capabilities,
): 'extension' | 'part' | undefined {
  if (needs !== undefined && !has[needs]) return 'extension'
  return part !== undefined && has.engine?.lacks.includes(part) ? 'part' : undefined
}

/** Items whose extension is known to be supported, and whose part is not known to be missing. */
export function useAvailable<Item extends object>(items: readonly Item[]): Item[] {
  const has = useQuery(capabilitiesQuery).data ?? none
  return useMemo(
    () => items.filter((item) => lackOf(item as Needing, has) === undefined),
    [items, has],
  )
}

/** Whether the control plane has an extension; false until known. */
export const useCapability = (name: Extension): boolean =>
  useQuery(capabilitiesQuery).data?.[name] === true

/** Whether the engine has a part; true until known, and at other control planes. */
export const useEnginePart = (part: EnginePart): boolean =>
  useEngine()?.lacks.includes(part) !== true

/** The engine that runs machines; undefined until known, and at other control planes. */
export const useEngine = (): Capabilities['engine'] => useQuery(capabilitiesQuery).data?.engine

/** Formats of images that the control plane converts; none until known. */
export const useImageFormats = (): Capabilities['imageFormats'] =>
  useQuery(capabilitiesQuery).data?.imageFormats ?? none.imageFormats

/** Whether instances can join multicast groups. Other control planes do not announce it. */
export function useMulticast(): boolean {
  const isOn = useCapability('multicast')
  const says = useCapability('lists')
  return isOn || !says
}

interface Read<Answer> {
  queryKey: readonly unknown[]
  queryFn: () => Promise<Answer>
}

/**
 * A read of an extension. On a control plane without it, the plain operation of the API is the
 * fallback, whose answers lack the extension's fields.
 */
export const withPlainFallback = <Extended extends Read<unknown>, Plain>(
  needs: Extension,
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
