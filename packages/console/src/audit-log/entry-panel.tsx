import type { AuditEntry } from '@steading/api/client'
import { Button } from '../ui/button.tsx'
import { PropertiesTable } from '../ui/properties-table.tsx'
import { SideModal } from '../ui/side-modal.tsx'
import { Mono } from '../ui/text.tsx'
import { actorText, reasonOf, ResultBadge, targetText } from './entry-cells.tsx'

const methods: Record<NonNullable<AuditEntry['authMethod']>, string> = {
  session_cookie: 'Session in a browser',
  access_token: 'Access token',
  scim_token: 'SCIM token',
}

const milliseconds = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
})

const Row = PropertiesTable.Row
const Long = ({ text }: { text: string }) => <span className="wrap-anywhere">{text}</span>

/** Everything that the log knows of a request. */
export function EntryPanel({ entry, onDismiss }: { entry: AuditEntry; onDismiss: () => void }) {
  const { target, result, user } = entry
  const reason = reasonOf(result)
  return (
    <SideModal
      title="Audit log entry"
      subtitle={entry.summary}
      onDismiss={onDismiss}
      footer={<Button onClick={onDismiss}>Close</Button>}
    >
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
          <Row label="Signed in by">{entry.authMethod ? methods[entry.authMethod] : 'Nothing'}</Row>
          {entry.credentialId && (
            <PropertiesTable.IdRow id={entry.credentialId} label="Credential ID" />
          )}
          <Row label="Source address">{entry.sourceIp && <Mono>{entry.sourceIp}</Mono>}</Row>
          <Row label="User agent">{entry.userAgent && <Long text={entry.userAgent} />}</Row>
        </PropertiesTable>
        <PropertiesTable>
          <Row label="Started">{milliseconds.format(entry.timeStarted)}</Row>
          <Row label="Completed">{milliseconds.format(entry.timeCompleted)}</Row>
          <Row label="Request">
            <Mono className="wrap-anywhere">{entry.requestUri}</Mono>
          </Row>
          <PropertiesTable.IdRow id={entry.requestId} label="Request ID" />
        </PropertiesTable>
      </div>
    </SideModal>
  )
}
