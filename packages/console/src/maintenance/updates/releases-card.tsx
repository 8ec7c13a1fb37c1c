import type { TufRepo, UpdateStatus, UpdateUpload } from '@steading/api/client'
import { compareSystemVersions } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { useReplacingAction } from '../../workspace/as-code/replacing-action.ts'
import { whenReread } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadError } from '../../page/load-error.tsx'
import { pathTo } from '../../data/addresses.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardEmpty } from '../../ui/card.tsx'
import { confirmAction, confirmDelete } from '../../ui/confirm.tsx'
import { Menu } from '../../ui/menu.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { Tag } from '../../ui/tag.tsx'
import { Size } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { releasesQuery, targetReleaseQuery, uploadsQuery } from './queries.ts'
import { TargetConsequences } from './target-consequences.tsx'

const create: Create = {
  label: 'Upload release',
  icon: Upload,
  variant: 'secondary',
  calls: 'systemUpdateRepositoryUpload',
  path: pathTo('/system/update/releases-new'),
}

/** Reason why a release cannot become the target. */
function targetDisabled(version: string, current: string | undefined): string | undefined {
  if (current === undefined) return undefined
  if (version === current) return 'Already set as target'
  return compareSystemVersions(version, current) < 0
    ? 'Cannot set older release as target'
    : undefined
}

function useReleaseActions({ targetRelease, contactSupport, suspended }: UpdateStatus) {
  const onSuccess = async () => {
    await whenReread()
    addToast('Target release updated')
  }
  const setTarget = useReplacingAction('targetReleaseUpdate', onSuccess)
  const finish = useApiAction('systemUpdateRecoveryFinish', { onSuccess })
  return ({ systemVersion, hash }: TufRepo): MenuAction[] => {
    const args = { body: { systemVersion } }
    const consequences = (
      <TargetConsequences version={systemVersion} contactSupport={contactSupport} />
    )
    return [
      {
        label: 'Set as target release',
        calls: 'targetReleaseUpdate',
        disabledReason: targetDisabled(systemVersion, targetRelease?.version),
        onAction: () =>
          confirmAction({
            title: 'Set target release',
            errorTitle: `Error setting target release to ${systemVersion}`,
            body: consequences,
            ...setTarget(
              args,
              targetRelease ? { shown: targetRelease, read: targetReleaseQuery } : undefined,
            ),
          }),
      },
      ...(suspended
        ? [
            {
              label: 'Finish recovery',
              calls: 'systemUpdateRecoveryFinish' as const,
              onAction: () =>
                confirmAction({
                  title: 'Finish recovery',
                  errorTitle: `Error finishing the recovery to ${systemVersion}`,
                  body: (
                    <div className="flex flex-col gap-3">
                      <p>
                        Support has recovered the system, and updates are suspended. They go on from
                        this release; say so only if support has told you.
                      </p>
                      {consequences}
                    </div>
                  ),
                  ...finish(args),
                }),
            },
          ]
        : []),
      copyAction('Copy SHA-256', hash),
    ]
  }
}

const row = 'flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 not-last:border-b'

/** Uploads that were interrupted, or run elsewhere. */
function Uploads() {
  const { data } = useQuery({ ...uploadsQuery, enabled: useCapability('updates') })
  const discard = useApiAction('updateUploadDelete', {
    onSuccess: whenReread,
  })
  if (!data || data.items.length === 0) return null
  const arrived = ({ written }: UpdateUpload) =>
    written.reduce((sum, { length }) => sum + length, 0)
  return (
    <ul aria-label="Unfinished uploads" className="border-b bg-sunken">
      {data.items.map((upload) => (
        <li key={upload.id} className={row}>
          <div className="min-w-0 flex-1">
            <div className="font-medium wrap-anywhere">{upload.fileName}</div>
            <div className="text-secondary">
              <Size bytes={arrived(upload)} /> of <Size bytes={upload.size} /> uploaded. Choose the
              same file again to go on.
            </div>
          </div>
          <Button
            size="sm"
            sends
            calls="updateUploadDelete"
            onClick={() =>
              confirmDelete({
                kind: 'upload',
                name: upload.fileName,
                ...discard({ path: { uploadId: upload.id } }),
              })
            }
          >
            Discard
          </Button>
        </li>
      ))}
    </ul>
  )
}

export function ReleasesCard({ status }: { status: UpdateStatus }) {
  const { data, error, refetch } = useQuery(releasesQuery)
  const actions = useReleaseActions(status)
  const target = status.targetRelease?.version
  useCreate(create)
  return (
    <Card
      title="Releases"
      description="Software that the system can be updated to"
      actions={<CreateButton {...create} />}
    >
      <Uploads />
      {error && !data && <LoadError what="The releases" error={error} onRetry={refetch} />}
      {data?.items.length === 0 && (
        <CardEmpty
          title="No releases"
          body="Upload the repository of a release. First add a trust root that has signed it."
        />
      )}
      {data && data.items.length > 0 && (
        <ul aria-label="Releases">
          {data.items.map((release) => {
            const { systemVersion, timeCreated, fileName } = release
            return (
              <li key={systemVersion} className={row}>
                <div className="min-w-0 flex-1">
                  <div className="flex flex-wrap items-center gap-2 font-medium">
                    <span className="wrap-anywhere">{systemVersion}</span>
                    {systemVersion === target && <Tag>Target</Tag>}
                  </div>
                  <div className="flex flex-wrap gap-x-3 text-secondary">
                    <DateTime date={timeCreated} />
                    <span className="wrap-anywhere">{fileName}</span>
                  </div>
                </div>
                <Menu label={`${systemVersion} actions`} items={actions(release)} />
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
