import type { ReactNode } from 'react'
import {
  ArrowDownToLine,
  ArrowUpToLine,
  ClipboardPaste,
  Copy,
  Download,
  Search,
} from 'lucide-react'
import { modKey } from '../../ui/keyboard/shortcuts.ts'
import { IconButton } from '../../ui/button.tsx'
import { tooltip } from '../../ui/tooltip.tsx'
import type { ConsoleTerminal } from './create-terminal.ts'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

type ToolProps = { label: string; hint?: string; icon: ReactNode; onClick: () => void }

/** Button that leaves the focus in the console, so that touch keyboards stay open. */
export const Tool = ({ hint, ...props }: ToolProps) => (
  <IconButton
    {...props}
    {...tooltip(hint ?? props.label)}
    onPointerDown={(event) => event.preventDefault()}
  />
)

type TerminalToolsProps = {
  terminal: ConsoleTerminal
  selected: boolean
  onFind: () => void
  onDownload: () => Promise<void>
  onProblem: (problem: string) => void
}

/** Toolbar with the actions of the keyboard shortcuts. */
export function TerminalTools({
  terminal,
  selected,
  onFind,
  onDownload,
  onProblem,
}: TerminalToolsProps) {
  return (
    <div
      role="toolbar"
      aria-label="Terminal"
      className="flex shrink-0 items-center gap-1 max-sm:gap-0"
    >
      <Tool
        label="Find in scrollback"
        hint={`Find in scrollback (${modKey}+F)`}
        onClick={onFind}
        icon={<Search {...icon} />}
      />
      <Tool
        label={selected ? 'Copy selection' : 'Copy screen'}
        onClick={() => void terminal.copy()}
        icon={<Copy {...icon} />}
      />
      <Tool
        label="Paste"
        onClick={() =>
          void terminal
            .paste()
            .catch(() => onProblem('The browser does not allow this page to paste'))
        }
        icon={<ClipboardPaste {...icon} />}
      />
      <Tool
        label="Download log"
        onClick={() => void onDownload().catch(() => onProblem('The log could not be read'))}
        icon={<Download {...icon} />}
      />
      <Tool
        label="Scroll to top"
        onClick={terminal.scrollToTop}
        icon={<ArrowUpToLine {...icon} />}
      />
      <Tool
        label="Scroll to bottom"
        onClick={terminal.scrollToBottom}
        icon={<ArrowDownToLine {...icon} />}
      />
    </div>
  )
}
