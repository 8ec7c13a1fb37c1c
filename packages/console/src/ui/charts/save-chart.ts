/** Saves charts as files. */
import { saveFile } from '../save-file.ts'
import { type ChartBands, type ChartData, csvOf } from './chart-data.ts'
import { lookOf } from './look.ts'
import { drawBand, type Plot } from './plot.ts'

const fileName = (title: string) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

export const saveCsv = (title: string, data: ChartData): void =>
  saveFile(`${fileName(title)}.csv`, [csvOf(data)], 'text/csv')

/** Includes the title and the series, which the plot itself does not draw. */
export async function savePng(
  title: string,
  data: ChartData,
  bands: ChartBands | undefined,
  plot: Plot,
): Promise<void> {
  const { canvas } = plot
  const colours = plot.colours()
  const scale = devicePixelRatio
  const line = 20 * scale
  const edge = 16 * scale
  const names = data.series.map(({ name }) => name)
  const picture = document.createElement('canvas')
  picture.width = canvas.width + 2 * edge
  picture.height = canvas.height + 2 * edge + line * (1.5 + names.length + (bands ? 1 : 0))
  const context = picture.getContext('2d')!
  context.fillStyle = colours.of('--surface-raised')
  context.fillRect(0, 0, picture.width, picture.height)
  context.fillStyle = colours.of('--text-primary')
  context.font = `500 ${14 * scale}px "Inter Variable", sans-serif`
  context.fillText(title, edge, edge + line * 0.75)
  context.drawImage(canvas, edge, edge + line * 1.5)
  context.font = `${12 * scale}px "Inter Variable", sans-serif`
  context.lineWidth = 2 * scale
  for (const [index, name] of names.entries()) {
    const { hue, dash } = lookOf(index)
    const y = edge + line * (1.5 + index) + canvas.height + line / 2
    context.strokeStyle = colours.of(hue)
    context.setLineDash(dash.map((length) => length * scale))
    context.beginPath()
    context.moveTo(edge, y)
    context.lineTo(edge + 20 * scale, y)
    context.stroke()
    context.fillText(name, edge + 28 * scale, y + 4 * scale)
  }
  if (bands) {
    const y = edge + line * (1.5 + names.length) + canvas.height + line / 2
    const height = 10 * scale
    drawBand(context, colours, { left: edge, top: y - height / 2, width: 20 * scale, height })
    context.fillStyle = colours.of('--text-primary')
    context.fillText(bands.name, edge + 28 * scale, y + 4 * scale)
  }
  const blob = await new Promise<Blob | null>((resolve) => picture.toBlob(resolve, 'image/png'))
  if (blob) saveFile(`${fileName(title)}.png`, [blob], 'image/png')
}
