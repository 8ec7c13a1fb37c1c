import type { Disk } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ALL_ITEMS, apiQuery, call } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { Banner } from '../../ui/banner.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { askToDiscard, isAbandonedImport } from './abandoned-imports.ts'
import { TEMPORARY_DISK } from './import-args.ts'
import { forgetUpload, isUploading, rememberedUpload, rememberedUploads } from './upload-memory.ts'

/** Banners for unfinished uploads to a project, from any browser. */
export function InterruptedUploads({ project }: { project: string }) {
  const canResume = useCapability('importResume')
  const canSearch = useCapability('lists')
  const { data } = useQuery({
    ...apiQuery('diskSearch', { query: { project, search: TEMPORARY_DISK, limit: ALL_ITEMS } }),
    enabled: canResume && canSearch,
  })
  useEffect(() => {
    if (data) void forgetGone(project, data.items)
  }, [project, data])
  return data?.items
    .filter(isAbandonedImport)
    .map((disk) => <InterruptedUpload key={disk.id} project={project} disk={disk} />)
}

/** Forgets uploads without a disk: they were finished or discarded elsewhere. */
async function forgetGone(project: string, disks: Disk[]): Promise<void> {
  for (const upload of rememberedUploads()) {
    const { id } = upload.disk
    if (upload.project !== project || disks.some((disk) => disk.id === id)) continue
    // The disk of an upload that has just started may be missing in the list.
    if (!(await isUploading(id))) forgetUpload(id)
  }
}

function InterruptedUpload({ project, disk }: { project: string; disk: Disk }) {
  const remembered = rememberedUpload(disk.id)
  const running = useQuery({
    queryKey: ['is uploading', disk.id],
    queryFn: () => isUploading(disk.id),
    refetchOnMount: 'always',
  })
  const stands = useStalled(disk.id, running.data === false && remembered === undefined)
  if (running.data !== false || !(remembered || stands)) return null
  return (
    <Banner variant="notice" title="An upload was interrupted" className="mx-(--gutter) mb-4">
      <span className="wrap-anywhere">
        {remembered ? (
          `${remembered.fileName} was being uploaded as ${remembered.values.name}.`
        ) : (
          <>
            Disk {disk.name} is waiting for the rest of an upload that was started in another
            browser <TimeAgo date={disk.timeCreated} caption="Started" ago />.
          </>
        )}{' '}
        Resuming continues where the upload stopped.
      </span>
      <div className="mt-2 flex flex-wrap gap-2">
        <LinkButton
          size="sm"
          to="/projects/$project/disks/$disk/resume-upload"
          params={{ project, disk: disk.name }}
        >
          Resume upload
        </LinkButton>
        <Button size="sm" onClick={() => askToDiscard(disk, project)}>
          Discard
        </Button>
      </div>
    </Banner>
  )
}

/**
 * Milliseconds without progress after which an upload counts as stalled: about the time of a chunk
 * on the slowest connection.
 */
const STALL_MS = 3000

/** @throws ApiError once the disk is gone, or the upload is finished */
const written = async (disk: string): Promise<string> =>
  JSON.stringify(
    (await call('diskImportView', { path: { disk } }, { expected: [400, 404] })).written,
  )

/** Whether the upload to a disk has stalled. Only the uploading browser knows more. */
function useStalled(disk: string, enabled: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['upload stands', disk],
    async queryFn() {
      const before = await written(disk)
      await new Promise((resolve) => {
        setTimeout(resolve, STALL_MS)
      })
      return before === (await written(disk))
    },
    enabled,
    retry: false,
    refetchInterval: 4 * STALL_MS,
  })
  return data === true
}
