import { useEffect, useState } from 'react'
import { Check, Copy } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { QueryTabs } from '../ui/tabs.tsx'
import { curl } from './curl.ts'
import { highlight, type Language } from './highlight.ts'
import { known } from './known.ts'
import type { Code, Step } from './steps.ts'
import { terraform } from './terraform.ts'
import { typescript } from './typescript.ts'

const languages: { id: Language; label: string; write: (steps: readonly Step[]) => Code }[] = [
  { id: 'curl', label: 'curl', write: (steps) => curl(steps, location.origin) },
  { id: 'typescript', label: 'TypeScript', write: (steps) => typescript(steps, location.origin) },
  { id: 'terraform', label: 'Terraform', write: (steps) => terraform(steps, known) },
]

const KEY = 'code-language'

function keptChoice(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** What an action will do, in one of the languages; the last choice is stored. */
export default function CodePanel({ steps }: { steps: readonly Step[] }) {
  const [selected, setSelected] = useState(keptChoice)
  const { id, write } = languages.find((language) => language.id === selected) ?? languages[0]!
  const code = write(steps)
  return (
    <div className="relative flex min-h-0 flex-col">
      <QueryTabs
        label="Language"
        tabs={languages.map((language) => ({
          id: language.id,
          label: language.label,
          content: language.id === id && <Shown code={code} language={id} />,
        }))}
        selected={id}
        onSelect={(next) => {
          setSelected(next)
          localStorage.setItem(KEY, next)
        }}
        panelClass="flex min-h-0 flex-col"
      />
    </div>
  )
}

const colours = {
  text: undefined,
  key: 'text-blue-text',
  string: 'text-green-text',
  comment: 'text-tertiary',
}

function Shown({ code: { text, notes }, language }: { code: Code; language: Language }) {
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
          <p key={note} className="sticky left-0 mb-2 max-w-prose text-xs text-secondary">
            {note}
          </p>
        ))}
        {text && (
          <pre className="w-max font-mono text-xs/5 text-primary [font-variant-ligatures:none]">
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
  const [copied, setCopied] = useState<string>()
  const done = copied === text
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setCopied(undefined), 2000)
    return () => clearTimeout(timer)
  }, [done])
  const Icon = done ? Check : Copy
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(text)
  }
  return (
    <div className="absolute top-1 right-(--gutter)">
      <Button
        size="sm"
        onClick={() => void copy()}
        icon={<Icon size={14} strokeWidth={1.5} aria-hidden />}
      >
        <span aria-live="polite">{done ? 'Copied' : 'Copy'}</span>
      </Button>
    </div>
  )
}
