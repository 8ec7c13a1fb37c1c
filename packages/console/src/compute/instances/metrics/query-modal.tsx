import { Check, Copy } from 'lucide-react'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { useCopy } from '../../../ui/clipboard.ts'
import { Modal } from '../../../ui/modal.tsx'
import type { ExplorerSearch } from '../../../observability/timeseries/explorer-link.ts'
import { QueryText } from '../../../observability/timeseries/query-text.tsx'

type QueryModalProps = {
  steps: string[]
  project: string
  /** Search parameters that open the query in the explorer. */
  explorer: ExplorerSearch
  onDismiss: () => void
}

/** Dialog with the query of a chart, to read and copy. */
export function QueryModal({ steps, project, explorer, onDismiss }: QueryModalProps) {
  const text = steps.join('\n  | ').replaceAll(' && ', '\n    && ')
  const [copied, copy] = useCopy(text)
  return (
    <Modal
      title="OxQL query"
      width="wide"
      onDismiss={onDismiss}
      footer={
        <div className="flex justify-end gap-2 border-t px-5 py-3">
          <LinkButton to="/projects/$project/metrics" params={{ project }} search={explorer}>
            Open in explorer
          </LinkButton>
          <Button
            onClick={copy}
            icon={
              copied ? (
                <Check size={14} strokeWidth={1.5} aria-hidden />
              ) : (
                <Copy size={14} strokeWidth={1.5} aria-hidden />
              )
            }
          >
            Copy query
          </Button>
        </div>
      }
    >
      <pre className="overflow-x-auto rounded-control border bg-sunken p-3 font-mono text-xs">
        <QueryText text={text} />
      </pre>
    </Modal>
  )
}
