import type { PriceList } from '@steading/api/client'
import { FLEET_ID, usageMetrics, usageMetricTable } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whenReread } from '../../data/api.ts'
import { LoadError } from '../../page/load-error.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Table } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useReplacingAction } from '../../workspace/as-code/replacing-action.ts'
import { useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { priceListQuery, priceNames, type PriceVersion } from './labels.ts'

const PriceForm = lazyPart(() => import('./price-form.tsx').then((m) => ({ default: m.PriceForm })))

const today = () => new Date().toISOString().slice(0, 10)

/** The version that is valid on a day; the latest is first. */
const validOn = (versions: readonly PriceVersion[], day: string): PriceVersion | undefined =>
  versions.find(({ validFrom }) => validFrom <= day)

const columnsOf = (list: PriceList): Column<PriceVersion>[] => [
  {
    id: 'from',
    header: 'valid from',
    width: 190,
    cell: (version) => (
      <span className="flex items-center gap-2 tabular-nums">
        {version.validFrom}
        {version === validOn(list.versions, today()) && <Tag>now</Tag>}
      </span>
    ),
  },
  ...usageMetrics.map((metric): Column<PriceVersion> => ({
    id: metric,
    header: usageMetricTable[metric].label,
    align: 'end',
    width: 124,
    phone: metric === 'vcpu' ? 'first' : metric === 'memory' ? 'second' : undefined,
    labelled: true,
    cell: ({ prices }) => prices[priceNames[metric]] ?? null,
  })),
]

/** The prices of the fleet, with past and future ones. */
export function PriceListCard() {
  const { data: list, error, refetch } = useQuery(priceListQuery)
  /** The day of the edited version; null for a new one. */
  const [edited, setEdited] = useState<string | null>()
  const versions = useVersions('price_list', { id: FLEET_ID }, true)
  const replace = useReplacingAction('priceListUpdate', async () => {
    await whenReread()
    addToast('Prices removed')
  })
  if (error && !list) return <LoadError what="The price list" error={error} onRetry={refetch} />
  const description =
    list && list.versions.length > 0
      ? `${list.currency} per hour of a unit. ${list.shownToSilos ? 'Users of silos see the costs of their use.' : 'Only operators see costs.'}`
      : undefined
  return (
    <>
      <QueryError error={error} onRetry={refetch} />
      {versions.panel}
      <Card
        title="Prices"
        description={description}
        actions={
          <ActionButtons
            actions={[
              ...versions.actions,
              {
                label: 'New prices',
                calls: 'priceListUpdate',
                local: true,
                disabledReason: !list && 'The prices are not loaded',
                onAction: () => setEdited(null),
              },
            ]}
          />
        }
      >
        {list?.versions.length === 0 ? (
          <CardEmpty
            title="No prices"
            body="With prices, reports show what use has cost. A report of a past month has the prices of that month."
          />
        ) : (
          <Table
            label="Prices"
            columns={list ? columnsOf(list) : []}
            rows={list?.versions}
            rowKey={({ validFrom }) => validFrom}
            skeletonRows={2}
            actions={({ validFrom }) => [
              {
                label: 'Edit',
                calls: 'priceListUpdate',
                local: true,
                onAction: () => setEdited(validFrom),
              },
              {
                label: 'Remove',
                calls: 'priceListUpdate',
                danger: true,
                onAction: () =>
                  confirmAction({
                    title: 'Remove prices',
                    errorTitle: 'Could not remove the prices',
                    danger: true,
                    body: `Days from ${validFrom} on get the prices that were valid before. Reports of past days change, too.`,
                    ...replace(
                      {
                        body: {
                          currency: list!.currency,
                          shownToSilos: list!.shownToSilos,
                          versions: list!.versions.filter((one) => one.validFrom !== validFrom),
                        },
                      },
                      { shown: list!, read: priceListQuery },
                    ),
                  }),
              },
            ]}
          />
        )}
      </Card>
      {edited !== undefined && (
        <DialogPart onDismiss={() => setEdited(undefined)}>
          <PriceForm day={edited} onDismiss={() => setEdited(undefined)} />
        </DialogPart>
      )}
    </>
  )
}
