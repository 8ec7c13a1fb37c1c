import { Command } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { Card, CardBody } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextLink } from '../../ui/link.tsx'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { Mono } from '../../ui/text.tsx'

const RELEASES = 'https://github.com/oxidecomputer/oxide.rs/releases'

/** How to get the command line tool and the Terraform provider, and use them with this silo. */
export function CommandLinePage() {
  const canCreate = useCapability('accessTokens')
  const { origin } = window.location
  return (
    <>
      <PageHeader title="Command Line" icon={<Command strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="command line"
          summary="The published command line tool and Terraform provider of this API work here. Every form and every action can also be shown as a command."
        />
      </PageHeader>
      <div className="flex narrow-page flex-col gap-4 pb-6">
        <Step title="1. Get the tool" text="It is one file, named oxide.">
          <Commands label="With Homebrew" text="brew install oxidecomputer/tap/oxide-cli" />
          <p className="text-secondary">
            Builds for Linux, macOS and Windows are at{' '}
            <a className="link wrap-anywhere" href={RELEASES} target="_blank" rel="noreferrer">
              {RELEASES}
            </a>
            .
          </p>
        </Step>
        <Step
          title="2. Sign in"
          text="It shows a code, and opens a page here where you confirm it. The token is then among your access tokens."
        >
          <Commands label="On your computer" text={`oxide auth login --host ${origin}`} />
          <Commands
            label="In CI, and wherever nobody is there to confirm a code"
            text={`export OXIDE_HOST=${origin}\nexport OXIDE_TOKEN=…`}
          />
          <p className="text-secondary">
            {canCreate
              ? 'Create a token with no more rights than it needs, under '
              : 'Tokens are under '}
            <TextLink to="/settings/access-tokens">Access Tokens</TextLink>.
          </p>
        </Step>
        <Step title="3. Use it" text="Each operation of the API has a command. --help lists them.">
          <Commands
            label="Look around"
            text={[
              'oxide current-user view',
              'oxide project list',
              'oxide instance list --project my-project',
            ].join('\n')}
          />
          <Commands
            label="Call any path of the API, including those without a command"
            text="oxide api '/v1/projects?limit=10'"
          />
          <p className="text-secondary">
            “Show as code” in a form has a CLI tab: the same request as a command, with your input.
          </p>
        </Step>
        <Step title="Terraform" text="The provider uses the same variables, or the tool’s sign-in.">
          <Commands
            label="Configuration"
            text={`terraform {
  required_providers {
    oxide = {
      source  = "oxidecomputer/oxide"
      version = ">= 0.20"
    }
  }
}

provider "oxide" {
  host = "${origin}"
}`}
          />
        </Step>
      </div>
    </>
  )
}

type StepProps = { title: string; text: string; children: ReactNode }

const Step = ({ title, text, children }: StepProps) => (
  <Card title={title} description={text}>
    <CardBody>{children}</CardBody>
  </Card>
)

function Commands({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-secondary">{label}</span>
      <div className="flex min-w-0 items-start gap-1 rounded-control border bg-sunken px-3 py-1">
        <Mono className="min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap text-primary">
          {text}
        </Mono>
        <CopyButton text={text} />
      </div>
    </div>
  )
}
