import type { AuditEntry } from '@steading/api/client'
import { AUDIT_KEPT_DAYS } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { ApiError } from '../../data/errors.ts'
import { LoadError } from '../../page/load-error.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { SideModal } from '../../ui/side-modal.tsx'
import { Mono } from '../../ui/text.tsx'
import {
  actorText,
  reasonOf,
  ResultBadge,
  sentenceOf,
  targetText,
} from '../../workspace/history/entries.tsx'
import { formatExact } from '../../ui/exact-time.ts'
import { auditEntryQuery } from './entries.ts'

const methods: Record<NonNullable<AuditEntry['authMethod']>, string> = {
  session_cookie: 'Session in a browser',
  access_token: 'Access token',
  scim_token: 'SCIM token',
}

const Row = PropertiesTable.Row
const Long = ({ text }: { text: string }) => <span className="wrap-anywhere">{text}</span>

/** The panel of the entry in the address. */
export function EntryPanel({ id, onDismiss }: { id: string; onDismiss: () => void }) {
  const { data, error, refetch } = useQuery({ ...auditEntryQuery(id), staleTime: Infinity })
  return (
    <SideModal
      title="Audit log entry"
      subtitle={data && sentenceOf(data)}
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
      {data && <Details entry={data} />}
      {!data && error && <Missing error={error} onRetry={refetch} />}
    </SideModal>
  )
}

/** An address may outlive its entry, which expires. */
function Missing({ error, onRetry }: { error: Error; onRetry: () => Promise<unknown> }) {
  if (!(error instanceof ApiError && error.statusCode === 404)) {
    return <LoadError what="The entry" error={error} onRetry={onRetry} />
  }
  return (
    <EmptyState
      icon={<ScrollText size={20} strokeWidth={1.5} aria-hidden />}
      title="No such entry"
      body={`Entries are kept for ${AUDIT_KEPT_DAYS} days.`}
    />
  )
}

/** All facts of the log about a request. */
function Details({ entry }: { entry: AuditEntry }) {
  const { target, result, user } = entry
  const reason = reasonOf(result)
  return (
    <div className="flex flex-col gap-6">
      <PropertiesTable>
        <Row label="Result">
          <span className="flex flex-wrap items-center gap-2">
            <ResultBadge result={result} />
            {result.kind !== 'unknown' && (
              <span className="text-secondary tabular-nums">HTTP {result.httpStatusCode}</span>
            )}
          </span>
        </Row>
        {reason && (
          <Row label="Reason">
            <Long text={reason} />
          </Row>
        )}
        {result.kind === 'error' && result.errorCode && (
          <Row label="Error code">
            <Mono>{result.errorCode}</Mono>
          </Row>
        )}
        <Row label="Operation">
          <Mono>{entry.operationId}</Mono>
        </Row>
        {target && (
          <Row label="Target">
            <Long text={targetText(target)} />
          </Row>
        )}
        {target?.id && <PropertiesTable.IdRow id={target.id} label="Target ID" />}
        {entry.jobId && <PropertiesTable.IdRow id={entry.jobId} label="Job" />}
      </PropertiesTable>
      <PropertiesTable>
        <Row label="User">
          <Long text={actorText(entry)} />
        </Row>
        {user && <PropertiesTable.IdRow id={user.id} label="User ID" />}
        <Row label="Signed in by">
          {entry.authMethod ? methods[entry.authMethod] : 'Not signed in'}
        </Row>
        {entry.credentialId && (
          <PropertiesTable.IdRow id={entry.credentialId} label="Credential ID" />
        )}
        <Row label="Source address">{entry.sourceIp && <Mono>{entry.sourceIp}</Mono>}</Row>
        <Row label="User agent">{entry.userAgent && <Long text={entry.userAgent} />}</Row>
      </PropertiesTable>
      <PropertiesTable>
        <Row label="Started">{formatExact(entry.timeStarted)}</Row>
        <Row label="Completed">{formatExact(entry.timeCompleted)}</Row>
        <Row label="Request">
          <Mono className="wrap-anywhere">{entry.requestUri}</Mono>
        </Row>
        <PropertiesTable.IdRow id={entry.requestId} label="Request ID" />
      </PropertiesTable>
    </div>
  )
}
