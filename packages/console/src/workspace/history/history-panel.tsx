import type { HistoryEntry } from '@steading/api/client'
import { AUDIT_KEPT_DAYS, historyKinds, kindTable } from '@steading/api/rules'
import { useLocation } from '@tanstack/react-router'
import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { nameOfUser, reasonOf, ResultBadge, sentenceOf, useHistory } from './entries.tsx'
import { LoadError } from '../../page/load-error.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { SideModal } from '../../ui/side-modal.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { DateTime } from '../../ui/time.tsx'
import type { Shown } from './history-address.ts'
import { Truncate } from '../../ui/text.tsx'

function read(history: string): Shown | undefined {
  const [kind, id] = history.split('.')
  const known = historyKinds.find((each) => each === kind)
  return known && id ? { kind: known, id } : undefined
}

type Props = { history: string; onDismiss: () => void }

/** The panel "History": actions on a resource, their users and results. */
export default function HistoryPanel({ history, onDismiss }: Props) {
  const shown = read(history)
  if (shown) return <Entries {...shown} onDismiss={onDismiss} />
  return (
    <Frame onDismiss={onDismiss}>
      <Nothing body="There is no history for this item." />
    </Frame>
  )
}

type FrameProps = {
  subtitle?: string
  above?: ReactNode
  onDismiss: () => void
  children: ReactNode
}

const Frame = ({ subtitle, ...props }: FrameProps) => (
  <SideModal
    title="History"
    subtitle={
      subtitle && (
        <>
          <History size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={subtitle} />
        </>
      )
    }
    footer={<Button onClick={props.onDismiss}>Close</Button>}
    {...props}
  />
)

const Nothing = ({ body }: { body: string }) => (
  <EmptyState
    icon={<History size={20} strokeWidth={1.5} aria-hidden />}
    title="No history"
    body={body}
  />
)

function Entries({ kind, id, onDismiss }: Shown & { onDismiss: () => void }) {
  const { rows, pagination, error, refetch } = useHistory(kind, id)
  const { words } = kindTable[kind]
  const passedName = useLocation({ select: ({ state }) => state.historyOf })
  const name = passedName ?? rows?.find(({ target }) => target?.id === id)?.target?.name ?? ''
  return (
    <Frame
      subtitle={capitalized(`${words} ${name}`.trimEnd())}
      onDismiss={onDismiss}
      above={pagination.hasPages && <Pagination {...pagination} />}
    >
      {rows ? (
        <>
          <QueryError error={error} onRetry={refetch} />
          {rows.length > 0 ? (
            <ol className="-my-3 flex flex-col divide-y">
              {rows.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </ol>
          ) : (
            <Nothing body={`Actions on this ${words} appear here, for ${AUDIT_KEPT_DAYS} days.`} />
          )}
        </>
      ) : error ? (
        <LoadError what="The history" error={error} onRetry={refetch} />
      ) : (
        <Loading />
      )}
    </Frame>
  )
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { result, timeCompleted } = entry
  const details = reasonOf(result)
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="flex items-start justify-between gap-3">
        <span className="font-medium wrap-anywhere">{sentenceOf(entry)}</span>
        <ResultBadge result={result} />
      </div>
      {details && <div className="wrap-anywhere text-secondary">{capitalized(details)}</div>}
      <div className="flex flex-wrap gap-x-3 text-tertiary">
        <span className="text-secondary">{nameOfUser(entry)}</span>
        <DateTime date={timeCompleted} />
      </div>
    </li>
  )
}

const Loading = () => (
  <div aria-busy className="flex flex-col gap-6" role="status" aria-label="Loading the history">
    {[0, 1, 2].map((row) => (
      <div key={row} className="flex flex-col gap-2">
        <SkeletonCell width="w-48" />
        <SkeletonCell width="w-64" />
      </div>
    ))}
  </div>
)
