import { Info, Pencil, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { ActionButtons, ActionMenu } from '../../src/ui/action-buttons.tsx'
import { Button, type ButtonVariant, IconButton, LinkButton } from '../../src/ui/button.tsx'
import { CopyButton } from '../../src/ui/copy-button.tsx'
import { RefreshButton } from '../../src/ui/page-header.tsx'
import { HelpTip } from '../../src/ui/tooltip.tsx'
import { Columns, Specimen } from '../section.tsx'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const
const variants: ButtonVariant[] = ['primary', 'secondary', 'ghost', 'danger']

export const actions = [
  { label: 'Start', onAction: () => {}, local: true },
  { label: 'Stop', onAction: () => {}, local: true, disabledReason: 'It is not running' },
  { label: 'Delete', onAction: () => {}, local: true, danger: true },
]

export const Buttons = () => (
  <>
    <Columns>
      {variants.map((variant) => (
        <Specimen key={variant} name={`${variant}: medium, icon, small`}>
          <Button variant={variant}>Create disk</Button>
          <Button variant={variant} icon={<Plus {...icon} />}>
            New
          </Button>
          <Button variant={variant} size="sm">
            Small
          </Button>
        </Specimen>
      ))}
      {variants.map((variant) => (
        <Specimen key={variant} name={`${variant}: disabled with a reason, busy`}>
          <Button variant={variant} disabledReason="The disk is attached">
            Create disk
          </Button>
          <Button variant={variant} loading>
            New disk
          </Button>
          <Button variant={variant} size="sm" loading>
            Small
          </Button>
        </Specimen>
      ))}
      <Specimen name="Icon buttons: medium, secondary, small, disabled">
        <IconButton label="Edit" icon={<Pencil {...icon} />} />
        <IconButton label="Reload" variant="secondary" icon={<RefreshCw {...icon} />} />
        <IconButton label="Information" size="sm" icon={<Info {...icon} />} />
        <IconButton label="Remove" disabledReason="In use" icon={<Trash2 {...icon} />} />
        <RefreshButton onRefresh={async () => {}} />
        <CopyButton text="172.30.0.5" />
        <HelpTip>Only operators see this.</HelpTip>
      </Specimen>
      <Specimen name="Links as buttons">
        <LinkButton to="/projects">Projects</LinkButton>
        <LinkButton to="/projects" variant="primary" icon={<Plus {...icon} />}>
          New disk
        </LinkButton>
      </Specimen>
      <Specimen name="Actions of a page">
        <ActionButtons actions={actions} />
        <ActionMenu label="More actions" actions={actions} />
      </Specimen>
    </Columns>
  </>
)
