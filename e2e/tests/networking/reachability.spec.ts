import type { Locator, Page } from '@playwright/test'
import type { ApiClient } from '@steading/api/client'
import { packetProblems } from '@steading/api/rules'
import { expectAccessible, expectNoSidewaysScroll } from '../../support/accessibility.ts'
import { takePictures } from '../../support/pictures.ts'
import { ok, type Seed } from '../../support/seed.ts'
import { expect, type Scene, test } from '../../support/test.ts'
import { choose, heading, openMenuOf, rowAction } from '../../support/ui.ts'

const PAGE = '/projects/mill/reachability'
const ASKED = `${PAGE}?from=instance:bastion&to=instance:db&protocol=tcp&port=5432`

/** A bastion with a floating IP and a database, running in the subnet of a new project. */
async function fill(api: ApiClient, seed: Seed): Promise<void> {
  const query = { project: 'mill' }
  await seed.floatingIp('mill', 'door')
  for (const name of ['bastion', 'db']) {
    await seed.instance('mill', name, {
      networkInterfaces: { type: 'default_dual_stack' },
      start: true,
    })
    await seed.until('mill', name, 'running')
  }
  const body = { kind: 'instance', parent: 'bastion' } as const
  await ok(api.floatingIpAttach({ path: { floatingIp: 'door' }, query, body }))
}
const scene: Scene = { fill: ({ api, seed }) => fill(api, seed) }

const answer = (page: Page) => page.getByRole('region', { name: 'Answer' })
const map = (page: Page) => page.getByRole('tree', { name: 'Network' })
const thing = (page: Page, name: string | RegExp) => map(page).getByRole('treeitem', { name })

const end = (page: Page, label: string) => page.getByRole('combobox', { name: label, exact: true })

/** Tab closes the list of options, which would cover the rest of the form. */
async function type(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Tab')
}

/** Answers as an engine with real networks does; the simulated rack carries no packets. */
async function sendsPackets(page: Page, fate: object): Promise<void> {
  await page.route('/x/v1/capabilities', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), real_packets: true, real_packets_problem: null },
    })
  })
  await page.route('/x/v1/reachability/packets?*', async (route) => {
    const data = route.request().postDataJSON() as object
    const model = await page.request.post('/x/v1/reachability?project=mill', { data })
    await route.fulfill({ json: { model: await model.json(), ...fate } })
  })
}

test.describe('in a network that does not change', () => {
  test.use({ scene })

  test('a question is answered with each step, and has its own address', async ({ page }) => {
    await page.goto(PAGE)
    await choose(end(page, 'From'), 'The internet')
    // Typed names are resolved as well.
    await type(end(page, 'To'), 'Bastion')
    await page.getByRole('textbox', { name: 'Port' }).fill('22')
    await page.getByRole('button', { name: 'Test reachability' }).click()
    await expect(answer(page).getByRole('status')).toHaveText(
      'The internet reaches bastion on TCP 22: the inbound rule allow-ssh allows it.',
    )
    const there = answer(page).getByRole('list', { name: 'The path there' })
    await expect(there).toContainText('is the floating IP of instance bastion')
    await there.getByText(/rules tried$/).click()
    await expect(there.getByRole('list', { name: 'Rules tried' })).toContainText('Decides')
    await expect(page).toHaveURL(`${PAGE}?from=internet&to=instance%3Abastion&protocol=tcp&port=22`)
    await expect(
      thing(page, /^bastion, .* path: The inbound rule allow-ssh allows it/),
    ).toBeVisible()
    await expectAccessible(page)
  })

  test('a blocked port is answered with the reason and a hint @long', async ({ page }) => {
    await page.goto(`${PAGE}?from=internet&to=instance:bastion&protocol=tcp&port=5432`)
    await expect(answer(page).getByRole('status')).toHaveText(
      'The internet cannot reach bastion on TCP 5432: no rule allows it, and inbound traffic is denied by default.',
    )
    await expect(answer(page)).toContainText('add an inbound rule for bastion that allows TCP 5432')
    await expect(thing(page, /^bastion, .* path: No rule allows it/)).toBeVisible()
    await page.getByRole('button', { name: 'Swap the ends' }).click()
    await page.getByRole('button', { name: 'Test reachability' }).click()
    await expect(answer(page).getByRole('status')).toContainText('bastion reaches the internet')
  })

  test('a real packet is sent where the engine can, and shown beside the answer', async ({
    page,
    consoleErrors,
  }) => {
    const packet = page.getByRole('region', { name: 'Real packet' })
    const send = packet.getByRole('button', { name: 'Send a real packet' })
    await page.goto(ASKED)
    await expect(send).toHaveAccessibleDescription(packetProblems.unavailable('simulated'))
    await expect(send).toHaveAttribute('aria-disabled', 'true')

    const named = (name: string) => ({ id: crypto.randomUUID(), name })
    await sendsPackets(page, {
      arrived: false,
      answer: null,
      outcome: 'It did not arrive at instance db.',
      verdict: {
        by: 'rule',
        allowed: false,
        reason: 'The inbound rule allow-ssh denies it.',
        direction: 'inbound',
        vpc: named('default'),
        rule: named('allow-ssh'),
        router: null,
        route: null,
      },
      difference: 'The packet did not arrive, although rules and routes let it through.',
    })
    await page.reload()
    await send.focus()
    await page.keyboard.press('Enter')
    await expect(packet).toContainText('Not as configured')
    await expect(packet).toContainText('although rules and routes let it through')
    const row = (name: string) => packet.getByRole('row', { name })
    await expect(row('Arrives')).toHaveText('ArrivesYesNo')
    await expect(row('Answer')).toHaveText('AnswerComes back–')
    await expect(row('Decided by').getByRole('link', { name: 'allow-ssh' })).toHaveAttribute(
      'href',
      '/projects/mill/vpcs/default/firewall-rules/allow-ssh/edit',
    )
    await expectAccessible(page)
    await takePictures(page, 'real packet', 1400)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)

    consoleErrors.expect(/409/)
    await page.route('/x/v1/reachability/packets?*', (route) =>
      route.fulfill({ status: 409, json: { message: packetProblems.behind('default') } }),
    )
    await send.click()
    await expect(packet.getByRole('alert')).toContainText(packetProblems.behind('default'))
    await expect(row('Arrives')).toHaveCount(0)
  })

  test('invalid input is reported at its field @long', async ({ page }) => {
    await page.goto(PAGE)
    await type(end(page, 'From'), 'nobody')
    await page.getByRole('textbox', { name: 'Port' }).fill('70000')
    await page.getByRole('button', { name: 'Test reachability' }).click()
    await expect(
      page.getByText('Choose an instance or the internet, or enter an IP address'),
    ).toBeVisible()
    await expect(page.getByText('To is required')).toBeVisible()
    await expect(page.getByText('Enter a port from 1 to 65535')).toBeVisible()
  })

  test('an empty form names the missing input, and focuses its first field @long', async ({
    page,
  }) => {
    await page.goto(PAGE)
    await page.getByRole('button', { name: 'Test reachability' }).click()
    await expect(page.getByText('From is required')).toBeVisible()
    await expect(page.getByText('To is required')).toBeVisible()
    await expect(end(page, 'From')).toBeFocused()
    await expect(end(page, 'From')).toHaveAttribute('aria-expanded', 'false')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: 'The internet' })).toBeVisible()
  })

  test('the question is shown as code @long', async ({ page }) => {
    await page.goto(ASKED)
    await page.getByRole('button', { name: 'Show as code' }).click()
    await expect(page.getByRole('region', { name: 'As code' })).toContainText('/x/v1/reachability')
  })

  test('the map shows the path, as a picture and on a phone as a list @long', async ({ page }) => {
    await page.goto(`/projects/mill/network-map?${ASKED.split('?')[1]}`)
    await expect(page.getByRole('status')).toContainText('bastion reaches db on TCP 5432')
    await expect(thing(page, /^bastion, .* stop 1 of the path/)).toBeVisible()
    await expect(thing(page, /^db, .* stop 3 of the path/)).toBeVisible()
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(thing(page, /^db, .* stop 3 of the path/)).toBeVisible()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })

  for (const [width, height] of [
    [1440, 900],
    [1024, 640],
    [760, 700],
  ] as const) {
    // The narrowest window is the hardest.
    const tag = width === 760 ? [] : ['@long']
    test(
      `the whole map fits ${width} by ${height} when it opens, and is legible @long`,
      { tag },
      async ({ page }) => {
        await page.setViewportSize({ width, height })
        for (const path of ['network-map', 'vpcs/default/topology']) {
          await page.goto(`/projects/mill/${path}`)
          await expect(thing(page, /^db, instance/)).toBeVisible()
          const hidden = await map(page).evaluate((tree) => {
            const frame = tree.closest('.map-frame')!
            return [frame.scrollWidth - frame.clientWidth, frame.scrollHeight - frame.clientHeight]
          })
          expect(hidden, 'pixels outside of the frame').toEqual([0, 0])
          await expectAccessible(page)
          await takePictures(page, `${path.replaceAll('/', ' ')} ${width}`)
          await page.setViewportSize({ width, height })
        }
      },
    )
  }

  test('the map is navigated as a tree, and links to the pages of its nodes @long', async ({
    page,
  }) => {
    await page.goto('/projects/mill/vpcs/default/topology')
    await thing(page, 'Internet').focus()
    await page.keyboard.press('ArrowDown')
    await expect(thing(page, /^default, VPC/)).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(thing(page, /^bastion/)).toHaveCount(0)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('End')
    await expect(thing(page, /^db, instance, running/)).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await expect(thing(page, /^bastion/)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(heading(page, 'bastion')).toBeVisible()
  })

  test('the map links to routers, gateways and subnets @long', async ({ page }) => {
    const vpc = '/projects/mill/vpcs/default'
    await page.goto(`${vpc}/topology`)
    const leads = (name: RegExp, path: string) =>
      expect(thing(page, name)).toHaveAttribute('href', vpc + path)
    await leads(/^default, subnet/, '/subnets/default/edit')
    await leads(/^default, Gateway/, '/internet-gateways/default')
    await leads(/^system, System router/, '/routers/system')
    await thing(page, /^system, System router/).click()
    await expect(heading(page, 'system')).toBeVisible()
  })

  test('an instance is tested from its row @long', async ({ page }) => {
    await page.goto('/projects/mill/instances')
    await rowAction(page, 'db', 'Test reachability')
    await expect(end(page, 'To')).toHaveValue('db')
  })

  test('an address and an interface are tested from their rows @long', async ({ page }) => {
    await page.goto('/projects/mill/instances/bastion/networking')
    await rowAction(page, 'floating', 'Test reachability')
    await expect(end(page, 'From')).toHaveValue('The internet')
    await expect(end(page, 'To')).toHaveValue('100.64.0.1')
    await page.goBack()
    const nic = page.getByRole('table', { name: 'Network interfaces' }).getByRole('row')
    const menu = await openMenuOf(nic.filter({ hasText: 'net0' }))
    await menu.getByRole('menuitem', { name: 'Test reachability' }).click()
    await expect(end(page, 'From')).toHaveValue('')
    await expect(end(page, 'To')).toHaveValue('bastion (net0)')
    await page.goto('/projects/mill/floating-ips')
    await rowAction(page, 'door', 'Test reachability')
    await expect(end(page, 'To')).toHaveValue('100.64.0.1')
  })
})

/** A router that drops internet traffic. */
async function addRouter(api: ApiClient): Promise<void> {
  const query = { project: 'mill', vpc: 'default' }
  await ok(api.vpcRouterCreate({ query, body: { name: 'nowhere', description: '' } }))
  const destination = { type: 'ip_net', value: '0.0.0.0/0' } as const
  const body = { name: 'all', description: '', destination, target: { type: 'drop' } } as const
  await ok(api.vpcRouterRouteCreate({ query: { ...query, router: 'nowhere' }, body }))
}

const withRouter: Scene = {
  async fill({ api, seed }) {
    await fill(api, seed)
    await addRouter(api)
  },
}

test.describe('previews of changes', () => {
  test.use({ scene: withRouter })

  test('the form of a rule shows the connections it would close', async ({ page }) => {
    await page.goto('/projects/mill/vpcs/default/firewall-rules/allow-internal-inbound/edit')
    const plan = page.getByRole('region', { name: 'Effect on connections' })
    await expect(plan).toContainText('No connection is opened or closed.')
    await page.getByRole('radio', { name: 'Deny' }).check()
    const changes = plan.getByRole('list', { name: 'Connections that change' })
    await expect(changes).toContainText('bastion → db')
    await expect(plan.getByRole('status')).toContainText(/^Closes \d+ connections/)
    await expectAccessible(page)
  })

  test('a confirmation shows the connections that would close @long', async ({ page }) => {
    await page.goto('/projects/mill/floating-ips')
    await rowAction(page, 'door', 'Detach')
    const dialog = page.getByRole('dialog', { name: 'Detach floating IP' })
    const plan = dialog.getByRole('region', { name: 'Effect on connections' })
    await expect(plan.getByRole('list', { name: 'Connections that change' })).toContainText(
      'the internet → bastion',
    )
    await expectAccessible(page)
  })

  test('a dialog for attaching shows the connections that would open @long', async ({ page }) => {
    await page.goto('/projects/mill/instances/db/networking')
    await page.getByRole('button', { name: 'Attach ephemeral IP' }).click()
    const dialog = page.getByRole('dialog', { name: 'Attach ephemeral IP' })
    const plan = dialog.getByRole('region', { name: 'Effect on connections' })
    await expect(plan).toContainText('the internet → db')
  })

  test('the panel of a subnet shows the effects of another router @long', async ({ page }) => {
    await page.goto('/projects/mill/vpcs/default/subnets/default/edit')
    const panel = page.getByRole('dialog', { name: 'Edit VPC subnet' })
    const plan = panel.getByRole('region', { name: 'Effect on connections' })
    await expect(plan).toContainText('No connection is opened or closed.')
    await panel.getByRole('button', { name: 'Custom router' }).click()
    await page.getByRole('option', { name: 'nowhere' }).click()
    await expect(plan).toContainText('→ the internet')
  })

  test('the networking tab shows the rules that apply to the instance @long', async ({ page }) => {
    await page.goto('/projects/mill/instances/db/networking')
    const rules = page.getByRole('table', { name: 'Firewall rules of the instance' })
    await expect(rules.getByRole('link', { name: 'allow-ssh' })).toBeVisible()
    await expectAccessible(page)
  })
})

test('the answer and the picture are live @long', async ({ page, project, api, seed }) => {
  await fill(api, seed)
  await page.goto(ASKED)
  const status = answer(page).getByRole('status')
  await expect(status).toContainText('bastion reaches db')
  const query = { project: project.name, vpc: 'default' }
  const { rules } = await ok(api.vpcFirewallRulesView({ query }))
  const others = rules.filter(({ name }) => name !== 'allow-internal-inbound')
  await ok(api.vpcFirewallRulesUpdate({ query, body: { rules: others } }))
  await expect(status).toHaveText(/^bastion cannot reach db on TCP 5432: no rule allows it/)
  await seed.instance(project.name, 'web', { networkInterfaces: { type: 'default_dual_stack' } })
  await expect(thing(page, /^web, instance, stopped/)).toBeVisible()
})

test('the map colours instances by a tag, and highlights a value @long', async ({
  page,
  project,
  seed,
  api,
}) => {
  for (const [name, tag] of [
    ['front', 'env:prod'],
    ['back', 'env:test'],
  ] as const) {
    const { id } = await seed.instance(project.name, name, {
      networkInterfaces: { type: 'default_dual_stack' },
    })
    const path = { kind: 'instance' as const, thing: id }
    await ok(api.tagsChange({ path, body: { set: [tag] } }))
  }
  await page.goto(`/projects/${project.name}/network-map`)
  await page.getByRole('button', { name: /Colour by tag/ }).click()
  await page.getByRole('option', { name: 'Tag env' }).click()
  const values = page.getByRole('group', { name: 'Highlight by env' })
  await values.getByRole('button', { name: 'prod 1' }).press('Enter')
  await expect(values.getByRole('button', { name: 'prod 1' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(thing(page, /^front, .*tags env:prod/)).toHaveAttribute('data-lit', 'true')
  await expect(thing(page, /^back, .*tags env:test/)).toHaveAttribute('data-lit', 'false')
  await expectAccessible(page)
  await takePictures(page, 'tags on the network map')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(thing(page, /^front/)).toContainText('prod')
  await expectNoSidewaysScroll(page)
  // Another user changes the tag.
  const { id } = await ok(
    api.instanceView({ path: { instance: 'back' }, query: { project: project.name } }),
  )
  const path = { kind: 'instance' as const, thing: id }
  await ok(api.tagsChange({ path, body: { set: ['env:prod'] } }))
  await expect(values.getByRole('button', { name: 'prod 2' })).toBeVisible()
  await expect(thing(page, /^back/)).toHaveAttribute('data-lit', 'true')
})
