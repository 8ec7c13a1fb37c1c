import type { SupportBundleInfo } from '@steading/api/client'
import {
  ageWords,
  supportBundleStates,
  BUNDLE_MANIFEST,
  supportBundleName,
} from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { readText } from './read-text.ts'

export const bundleListDefinition: ListDefinition<'supportBundleList'> = {
  kind: 'support_bundle',
  id: 'support-bundles',
  operation: 'supportBundleList',
  plainSorts: [],
  filters: { state: supportBundleStates, age: ageWords },
  sort: 'time_created_descending',
}

export const bundleQuery = (bundleId: string) =>
  apiQuery('supportBundleView', { path: { bundleId } })

/** Bundles have no name in the API. */
export const named = <Bundle extends SupportBundleInfo>(bundle: Bundle) => ({
  ...bundle,
  name: supportBundleName(bundle.timeCreated.toISOString()),
})

export const useBundleParam = (): string =>
  useParams({ from: '/shell/system/support-bundles-crumb/system/support-bundles/$bundle' }).bundle

/** Download path of a bundle, or of a file in it. */
export const downloadPath = (id: string, file?: string): string =>
  `/v1/system/support-bundles/${id}/download${file === undefined ? '' : `/${encodeURIComponent(file)}`}`

/** A file of a bundle; its size is known if the bundle has a manifest. */
export interface BundleFile {
  name: string
  size?: number
  /** Reason for missing content. */
  problem?: string
}

interface Manifest {
  files: { name: string; size: number; problem?: string }[]
}

/** The files of a bundle, which never change. */
export const filesQuery = (id: string) => ({
  queryKey: ['supportBundleIndex', id] as const,
  staleTime: Infinity,
  async queryFn(): Promise<BundleFile[]> {
    const index = await readText('supportBundleView', `/v1/system/support-bundles/${id}/index`)
    const names = index.split('\n').filter(Boolean)
    // Other control planes' bundles may have no manifest.
    const manifest = names.includes(BUNDLE_MANIFEST)
      ? (JSON.parse(
          await readText('supportBundleView', downloadPath(id, BUNDLE_MANIFEST)),
        ) as Partial<Manifest>)
      : {}
    const listed = new Map(manifest.files?.map((file) => [file.name, file]))
    return names.map((name) => listed.get(name) ?? { name })
  },
})
