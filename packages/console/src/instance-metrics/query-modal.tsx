import { useRef, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Modal } from '../ui/modal.tsx'

type QueryModalProps = { steps: string[]; onDismiss: () => void }

const words = /\b(?:get|filter|align|group_by|mean_within|sum)\b|"[^"]*"|@[\dT:.-]+/g

/** Operations, texts and times stand out. */
function* highlighted(text: string) {
  let done = 0
  for (const { 0: word, index } of text.matchAll(words)) {
    yield text.slice(done, index)
    yield (
      <span key={index} className={/^["@]/.test(word) ? 'text-green-text' : 'text-accent-text'}>
        {word}
      </span>
    )
    done = index + word.length
  }
  yield text.slice(done)
}

/** The query of a chart, to be read and copied. */
export function QueryModal({ steps, onDismiss }: QueryModalProps) {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const text = steps.join('\n  | ').replaceAll(' && ', '\n    && ')
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), 2000)
  }
  return (
    <Modal
      title="OxQL query"
      width="wide"
      onDismiss={onDismiss}
      footer={
        <div className="flex justify-end border-t px-5 py-3">
          <Button
            onClick={() => void copy()}
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
        {[...highlighted(text)]}
      </pre>
    </Modal>
  )
}
