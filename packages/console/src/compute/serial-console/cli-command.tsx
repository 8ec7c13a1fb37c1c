import { useState } from 'react'
import { Check, Copy, SquareTerminal } from 'lucide-react'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { useCopy } from '../../ui/clipboard.ts'
import { Modal } from '../../ui/modal.tsx'

/** The name of the API's command line client. */
const CLI = 'oxide'

type Props = { project: string; instance: string } & Pick<ButtonProps, 'size' | 'variant' | 'ref'>

/** The button "CLI Command" and its dialog with the command that opens the console from a shell. */
export function SerialConsoleCliCommand({ project, instance, ...button }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        {...button}
        icon={<SquareTerminal size={16} strokeWidth={1.5} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        CLI Command
      </Button>
      {open && (
        <CliCommandModal
          parts={[
            `${CLI} instance serial console`,
            `--project ${project}`,
            `--instance ${instance}`,
          ]}
          onDismiss={() => setOpen(false)}
        />
      )}
    </>
  )
}

function CliCommandModal({ parts, onDismiss }: { parts: string[]; onDismiss: () => void }) {
  const [copied, copy] = useCopy(parts.join(' '))
  const Icon = copied ? Check : Copy
  return (
    <Modal
      title="CLI command"
      width="free"
      onDismiss={onDismiss}
      footer={
        <footer className="flex shrink-0 justify-end gap-2 border-t bg-raised px-5 py-3">
          <Button onClick={onDismiss}>Close</Button>
          <Button
            variant="primary"
            icon={<Icon size={16} strokeWidth={1.5} aria-hidden />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy command'}
          </Button>
        </footer>
      }
    >
      <pre className="overflow-x-auto rounded-control border bg-sunken px-3 py-2.5 font-mono text-xs/5 text-primary">
        {parts.join(' \\\n    ')}
      </pre>
    </Modal>
  )
}
