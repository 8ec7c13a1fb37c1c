import { Check, Copy } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/clipboard.ts'
import { highlight, type Language } from './highlight.ts'
import type { Code } from './steps.ts'

const colours = {
  text: undefined,
  key: 'text-blue-text',
  string: 'text-green-text',
  comment: 'text-tertiary',
}

type CodeTextProps = { code: Code; language: Language }

/** Code with a copy button, inside of a `relative` element. */
export function CodeText({ code: { text, notes }, language }: CodeTextProps) {
  return (
    <>
      {text && <CopyCode text={text} />}
      <div
        // A scrollable element must be reachable by keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-label="Code"
        className="focus-inset min-h-0 overflow-auto px-(--gutter) py-3"
      >
        {notes.map((note) => (
          <p key={note} className="sticky start-0 mb-2 max-w-prose text-xs text-secondary">
            {note}
          </p>
        ))}
        {text && (
          <pre className="w-max font-mono text-xs/5 text-primary">
            <code>
              {highlight(text, language).map(({ kind, part }, at) => (
                <span key={at} className={colours[kind]}>
                  {part}
                </span>
              ))}
            </code>
          </pre>
        )}
      </div>
    </>
  )
}

function CopyCode({ text }: { text: string }) {
  const [done, copy] = useCopy(text)
  const Icon = done ? Check : Copy
  return (
    <div className="absolute top-1 end-(--gutter)">
      <Button size="sm" onClick={copy} icon={<Icon size={14} strokeWidth={1.5} aria-hidden />}>
        <span aria-live="polite">{done ? 'Copied' : 'Copy'}</span>
        <span className="sr-only"> code</span>
      </Button>
    </div>
  )
}
