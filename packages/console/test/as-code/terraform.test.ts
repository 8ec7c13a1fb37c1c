import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelOf, type FindCached } from '@steading/api/terraform'
import { hclQuote } from '@steading/api/terraform'
import { call, type Step } from '../../src/workspace/as-code/steps.ts'
import { terraform } from '../../src/workspace/as-code/terraform.ts'
import { calls, empty, everything, sequences } from './examples.ts'
import { parseHcl, unquote } from './hcl-parser.ts'

const nothing: FindCached = () => undefined
const example = (operation: Step['operation']) =>
  calls.find((step) => step.operation === operation)!
const write = (operation: Step['operation'], known = nothing) =>
  terraform([example(operation)], known)

test('quoting preserves any text, without interpolation', () => {
  const signs = fc.string({ unit: fc.constantFrom('$', '%', '{', '}', '"', '\\', '\n', '\b', 'u') })
  fc.assert(
    fc.property(fc.oneof(signs, fc.string({ unit: 'binary' })), (text) => {
      expect(unquote(hclQuote(text))).toBe(text)
    }),
    { numRuns: 1000 },
  )
  expect(hclQuote('${a} %{b} $${c}')).toBe('"$${a} %%{b} \\u0024\\u0024{c}"')
})

test('names become identifiers of Terraform', () => {
  expect(labelOf('web-1')).toBe('web_1')
  expect(labelOf('1')).toBe('_1')
  expect(labelOf('')).toBe('example')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(labelOf(name)).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/)
    }),
  )
})

test('every action has a configuration or a reason', () => {
  for (const steps of [...everything, ...empty.map((step) => [step])]) {
    const { text, notes } = terraform(steps, nothing)
    expect(parseHcl(text).length > 0 || notes.length > 0).toBe(true)
  }
})

test('any input yields a valid configuration', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (name, description) => {
      const { text } = terraform([call('projectCreate', { body: { name, description } })], nothing)
      expect(parseHcl(text)[0]!.attributes).toEqual({ name, description })
    }),
  )
})

test('the format matches `terraform fmt`', () => {
  expect(write('diskCreate').text).toBe(`data "oxide_project" "mill" {
  name = "mill"
}

resource "oxide_disk" "flour" {
  project_id  = data.oxide_project.mill.id
  name        = "flour"
  description = ""
  size        = 10737418240
  block_size  = 4096
}`)
  expect(write('instanceDiskAttach').text).toBe(`data "oxide_disk" "flour" {
  project_name = "mill"
  name         = "flour"
}

resource "oxide_instance" "grinding_stone" {
  # Leave everything else as it is.
  disk_attachments = [
    # the disks there are, and:
    data.oxide_disk.flour.id,
  ]
}`)
})

test('an instance includes its disks and refers to the rest by name', () => {
  const { text, notes } = write('instanceCreate', (kind) =>
    kind === 'ipPool' ? { id: 'pool', name: 'default', ipVersion: 'v4' } : undefined,
  )
  const blocks = parseHcl(text)
  expect(blocks.map(({ type, labels }) => [type, ...labels].join(' '))).toEqual([
    'data oxide_project mill',
    'data oxide_disk flour',
    'data oxide_vpc_subnet default',
    'data oxide_ip_pool default',
    'data oxide_floating_ip gate',
    'data oxide_anti_affinity_group apart',
    'resource oxide_disk boot',
    'resource oxide_disk scratch',
    'resource oxide_instance grinding_stone',
  ])
  const { attributes } = blocks.at(-1)!
  expect(attributes).toMatchObject({
    boot_disk_id: { ref: 'oxide_disk.boot.id' },
    disk_attachments: [
      { ref: 'oxide_disk.boot.id' },
      { ref: 'oxide_disk.scratch.id' },
      { ref: 'data.oxide_disk.flour.id' },
    ],
    external_ips: {
      ephemeral: [{ ip_version: 'v4', pool_id: { ref: 'data.oxide_ip_pool.default.id' } }],
      floating: [{ id: { ref: 'data.oxide_floating_ip.gate.id' } }],
    },
    network_interfaces: [
      {
        name: 'net0',
        vpc_id: { ref: 'data.oxide_vpc_subnet.default.vpc_id' },
        subnet_id: { ref: 'data.oxide_vpc_subnet.default.id' },
        ip_config: { v4: { ip: 'auto' }, v6: { ip: 'auto' } },
      },
    ],
    user_data: { filebase64: "it's me.yaml" },
    start_on_create: false,
  })
  expect(notes.join(' ')).toContain('no default network interface')
})

test('a call refers to resources of earlier calls', () => {
  const { text } = terraform(sequences[0]!, nothing)
  expect(text).toContain('    oxide_disk.flour.id,')
  expect(text).not.toContain('data "oxide_disk"')
})

test('names with the same identifier get distinct labels', () => {
  const key = (name: string) =>
    call('currentUserSshKeyCreate', { body: { name, description: '', publicKey: '' } })
  const blocks = parseHcl(terraform([key('a-b'), key('a_b')], nothing).text)
  expect(blocks.map(({ labels }) => labels[1])).toEqual(['a_b', 'a_b_2'])
})

test('a note explains unsupported operations', () => {
  for (const operation of ['instanceStart', 'instanceReboot', 'imageDemote'] as const) {
    const { text, notes } = write(operation)
    expect(text).toBe('')
    expect(notes[0]).toMatch(/^The Terraform provider has no resource for this: /)
  }
  expect(terraform(sequences[1]!, nothing)).toMatchObject({ text: '' })
})

test('a deletion names the resource to remove', () => {
  const known: FindCached = (_, id) => ({ id, name: 'debian' })
  const { text, notes } = write('imageDelete', known)
  expect(text).toBe('')
  expect(notes).toEqual([
    'Remove the oxide_image of “debian” from the configuration. The next apply deletes it, if Terraform has made or imported it.',
  ])
})

test('an interface is declared in its instance', () => {
  const known: FindCached = (kind, id) =>
    kind === 'networkInterface'
      ? { id, name: 'side', instanceId: '44444444-0000-4000-8000-000000000000' }
      : { id, name: 'grinding-stone' }
  const [block] = parseHcl(write('instanceNetworkInterfaceUpdate', known).text)
  expect(block).toEqual({
    type: 'resource',
    labels: ['oxide_instance', 'grinding_stone'],
    attributes: { network_interfaces: [{ name: 'side', description: 'Aside' }] },
  })
})
