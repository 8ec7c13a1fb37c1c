import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { QueryText } from '../timeseries/query-text.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Modal } from '../../ui/modal.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { forgetQueries, forgetQuery, useRanQueries } from './query-history.ts'

type HistoryDialogProps = {
  scope: QueryScope
  onChoose: (query: string) => void
  onDismiss: () => void
}

/** The user's past queries in this scope: search, rerun, remove. */
export function HistoryDialog({ scope, onChoose, onDismiss }: HistoryDialogProps) {
  const [search, setSearch] = useState('')
  const queries = useRanQueries(scope, search)
  const all = useRanQueries(scope, '')
  return (
    <Modal
      title="History of queries"
      width="wide"
      height="medium"
      onDismiss={onDismiss}
      footer={
        all.length > 0 && (
          <div className="flex justify-end border-t px-5 py-3">
            <Button onClick={() => forgetQueries(scope)}>Remove all</Button>
          </div>
        )
      }
    >
      <p className="mb-3 text-xs text-secondary">
        Kept in this browser, for you alone{scope === 'system' ? '' : ', and for this project'}.
      </p>
      <input
        type="search"
        aria-label="Search the history"
        placeholder="Search"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        className="field-control"
      />
      {queries.length === 0 ? (
        <p className="py-10 text-center text-secondary">
          {all.length === 0
            ? 'Queries that you run are kept here'
            : 'No query contains these words'}
        </p>
      ) : (
        <ul aria-label="Queries" className="mt-3 divide-y divide-line rounded-card border">
          {queries.map((one) => (
            <li key={one.query} className="flex items-start gap-2 p-2">
              <button
                type="button"
                aria-label={`Run ${one.query}`}
                onClick={() => onChoose(one.query)}
                className="min-w-0 flex-1 rounded-control p-2 text-start hover:bg-hover"
              >
                <span className="block font-mono text-xs/5 break-words whitespace-pre-wrap">
                  <QueryText text={one.query} />
                </span>
                <span className="mt-1 block text-xs text-tertiary">
                  <TimeAgo date={new Date(one.ranAt)} caption="Run" ago />
                </span>
              </button>
              <IconButton
                label={`Remove ${one.query}`}
                icon={<Trash2 size={16} strokeWidth={1.5} aria-hidden />}
                onClick={() => forgetQuery(one)}
              />
            </li>
          ))}
        </ul>
      )}
    </Modal>
  )
}
