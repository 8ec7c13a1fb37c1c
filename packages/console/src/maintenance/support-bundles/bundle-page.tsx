import { ResourceHeader } from '../../page/resource-header.tsx'
import { bundleCannotDownload } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate } from '@tanstack/react-router'
import { Download, LifeBuoy } from 'lucide-react'
import { useState } from 'react'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardEmpty } from '../../ui/card.tsx'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { download } from '../../page/download.ts'
import { useBundleActions, bundleDocs } from './bundle-actions.tsx'
import { FilesCard } from './files-card.tsx'
import { bundleQuery, downloadPath, named, useBundleParam } from './queries.ts'
import { BundleStateBadge } from './columns.tsx'

function DownloadButton({ bundle }: { bundle: ReturnType<typeof named> }) {
  const [loading, setLoading] = useState(false)
  const save = async () => {
    setLoading(true)
    await download(downloadPath(bundle.id), `${bundle.name}.zip`)
    setLoading(false)
  }
  return (
    <Button
      icon={<Download size={16} strokeWidth={1.5} aria-hidden />}
      sends
      loading={loading}
      disabledReason={bundleCannotDownload(bundle.state)}
      onClick={() => void save()}
    >
      Download
    </Button>
  )
}

export function BundlePage() {
  const query = bundleQuery(useBundleParam())
  const bundle = named(usePrefetchedQuery(query).data)
  const isChanging = bundle.state === 'collecting' || bundle.state === 'destroying'
  useQuery({ ...query, refetchInterval: useLivePolling(isChanging ? 1000 : 10_000) })
  const navigate = useNavigate()
  const [, ...actions] = useBundleActions(() => navigate({ to: '/system/support-bundles' }))(bundle)
  const star = useStarAction('support_bundle')
  const history = useHistoryAction('support_bundle')
  const who = useWhoCan('support_bundle', undefined)
  const notYet = bundleCannotDownload(bundle.state)
  return (
    <>
      <ResourceHeader
        title={bundle.name}
        icon={<LifeBuoy strokeWidth={1.5} aria-hidden />}
        kind="support_bundle"
        thing={bundle}
        meta={<BundleStateBadge state={bundle.state} />}
      >
        <DocsPopover {...bundleDocs} />
        <RefreshButton onRefresh={refetchShown} />
        <DownloadButton bundle={bundle} />
        <ActionMenu
          label="Support bundle actions"
          actions={[
            copyAction('Copy ID', bundle.id),
            ...star(bundle),
            ...history(bundle),
            ...who(bundle),
            ...actions,
          ]}
        />
      </ResourceHeader>
      <div className="flex flex-col gap-6 pb-6">
        <div className="px-(--gutter)">
          <PropertiesTable columns={2}>
            <PropertiesTable.IdRow id={bundle.id} />
            <PropertiesTable.DateRow label="Created" date={bundle.timeCreated} />
            <PropertiesTable.Row label="Reason">{bundle.reasonForCreation}</PropertiesTable.Row>
            {bundle.reasonForFailure && (
              <PropertiesTable.Row label="Failure">{bundle.reasonForFailure}</PropertiesTable.Row>
            )}
            <PropertiesTable.Row label="Comment">
              {bundle.userComment ? (
                <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">
                  {bundle.userComment}
                </span>
              ) : (
                <span className="text-tertiary">None</span>
              )}
            </PropertiesTable.Row>
          </PropertiesTable>
        </div>
        {notYet ? (
          <Card title="Files" description="Contents of the bundle">
            <CardEmpty title="No files" body={notYet} />
          </Card>
        ) : (
          <FilesCard id={bundle.id} />
        )}
      </div>
      <Outlet />
    </>
  )
}
