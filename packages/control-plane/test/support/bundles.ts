import { expect } from 'vitest'
import type { Wire } from '@steading/api'
import type { Caller } from './caller.ts'
import { until } from './things.ts'

/** A bundle that has been collected. */
export async function addBundle(caller: Caller, comment = ''): Promise<Wire.SupportBundleInfo> {
  const { id } = await caller.call('support_bundle_create', { body: { user_comment: comment } })
  return until(
    () => caller.call('support_bundle_view', { params: { bundle_id: id } }),
    ({ state }) => expect(state).toBe('active'),
  )
}

const path = (id: string) => `/v1/system/support-bundles/${id}`
export const downloadPath = (id: string, file?: string) =>
  `${path(id)}/download${file === undefined ? '' : `/${encodeURIComponent(file)}`}`

/** Names of the files of a bundle. */
export const filesOf = async (caller: Caller, id: string): Promise<string[]> =>
  (await (await caller.fetch(`${path(id)}/index`)).text()).split('\n').filter(Boolean)

export const fileOf = async (caller: Caller, id: string, file: string): Promise<string> =>
  (await caller.fetch(downloadPath(id, file))).text()

/** The whole contents of a bundle. */
export async function contentsOfBundle(caller: Caller, id: string): Promise<string> {
  const texts: string[] = []
  for (const name of await filesOf(caller, id)) texts.push(name, await fileOf(caller, id, name))
  return texts.join('\n')
}
