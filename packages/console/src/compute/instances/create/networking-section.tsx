import { useId } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { ipVersions } from '../../../networking/pools/own-pools.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Listbox } from '../../../ui/form/listbox-field.tsx'
import type { Option } from '../../../ui/form/options.tsx'
import { TextLink } from '../../../ui/link.tsx'
import { HelpTip } from '../../../ui/tooltip.tsx'
import { changeNetwork } from './change-network.ts'
import { CustomNics } from './custom-nics.tsx'
import { EphemeralIp } from './ephemeral-ip.tsx'
import { FloatingIps } from './floating-ips.tsx'
import { ChoicesPart } from './choices-part.tsx'
import { Problem, Section } from './section.tsx'
import { isLoaded, type Offer } from './queries.ts'
import type { InstanceValues, IpVersions, NetworkValues } from './values.ts'

const versionOptions: Option[] = [
  { value: 'dual_stack', label: 'IPv4 & IPv6' },
  { value: 'ipv4', label: 'IPv4' },
  { value: 'ipv6', label: 'IPv6' },
]

type Props = {
  project: string
  form: UseFormReturn<InstanceValues>
  offer: Offer
  disabled: boolean
}

export function NetworkingSection(props: Props) {
  const { form, offer, disabled } = props
  return (
    <Section title="Networking">
      <ChoicesPart part="vpcs" offer={offer}>
        {offer.vpcs.length === 0 && (
          <Banner variant="notice">
            A VPC is required to add network interfaces.{' '}
            <TextLink to="/projects/$project/vpcs-new" params={{ project: props.project }}>
              Create a VPC
            </TextLink>
          </Banner>
        )}
      </ChoicesPart>
      <NetworkChoice {...props} />
      <div className="flex flex-col gap-2">
        <span className="flex items-center gap-1.5 font-medium">
          Ephemeral IP
          <HelpTip>
            An address the instance is given now and loses when it is deleted or the address is
            detached.
          </HelpTip>
        </span>
        <ChoicesPart part="pools" offer={offer}>
          {ipVersions.map((version) => (
            <EphemeralIp key={version} {...{ version, form, offer, disabled }} />
          ))}
        </ChoicesPart>
      </div>
      <FloatingIps {...{ form, offer, disabled }} />
    </Section>
  )
}

function NetworkChoice({ project, form, offer, disabled }: Props) {
  const { control } = form
  const [network, versions] = useWatch({ control, name: ['network', 'ipVersions'] })
  const id = useId()
  const noVpc = isLoaded(offer, 'vpcs') && offer.vpcs.length === 0
  const change = (next: Partial<NetworkValues>) => changeNetwork(form, offer, next)
  const radio = (value: NetworkValues['network'], label: string) => (
    <label className="flex items-center gap-2">
      <input
        type="radio"
        className="radio"
        name={`${id}-network`}
        value={value}
        checked={network === value}
        disabled={disabled || (noVpc && value !== 'none')}
        onChange={() => change({ network: value })}
      />
      {label}
    </label>
  )
  return (
    <div className="flex flex-col gap-1.5">
      <span id={`${id}-label`} className="font-medium">
        Network interface
      </span>
      <div role="radiogroup" aria-labelledby={`${id}-label`} className="flex flex-col gap-2">
        <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
          {radio('default', 'Default')}
          {network === 'default' && (
            <Listbox
              aria-label="IP versions"
              className="w-40"
              options={versionOptions}
              value={versions}
              disabled={disabled}
              onChange={(next) => change({ ipVersions: next as IpVersions })}
            />
          )}
        </div>
        {radio('custom', 'Custom')}
        {radio('none', 'None')}
      </div>
      <Problem form={form} name="network" />
      {network === 'custom' && <CustomNics {...{ project, form, offer, disabled }} />}
    </div>
  )
}
