// The few shapes that the pictures of the documents are made of. They follow the reader's light or dark theme.

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Area extends Point {
  readonly width: number
  readonly height: number
}

/** What a shape says by its colour. */
export type Tone = 'plain' | 'strong' | 'good' | 'bad'

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export interface TextOptions {
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly size?: 'small' | 'usual' | 'title'
  readonly tone?: Tone
}

export function label(at: Point, text: string, options: TextOptions = {}): string {
  const { anchor = 'start', size = 'usual', tone = 'plain' } = options
  return `<text x="${at.x}" y="${at.y}" text-anchor="${anchor}" class="${size} ${tone}">${escaped(text)}</text>`
}

/** A box with its lines of text in the middle; the first line is its name. */
export function box(area: Area, lines: readonly string[], tone: Tone = 'plain'): string {
  const { x, y, width, height } = area
  const lineHeight = 18
  const first = y + height / 2 - ((lines.length - 1) * lineHeight) / 2 + 5
  const texts = lines.map((line, i) =>
    label({ x: x + width / 2, y: first + i * lineHeight }, line, {
      anchor: 'middle',
      size: i === 0 ? 'usual' : 'small',
    }),
  )
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" class="box ${tone}"/>${texts.join('')}`
}

export function arrow(from: Point, to: Point, tone: Tone = 'plain'): string {
  return `<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}" class="line ${tone}" marker-end="url(#head)"/>`
}

export function dashed(from: Point, to: Point): string {
  return `<line x1="${from.x}" y1="${from.y}" x2="${to.x}" y2="${to.y}" class="line dashed"/>`
}

const style = `
  text { font: 14px system-ui, sans-serif; fill: #1f2328 }
  text.small { font-size: 12px; fill: #59636e }
  text.title { font-size: 16px; font-weight: 600 }
  text.good { fill: #1a7f37 } text.bad { fill: #cf222e }
  .box { fill: #f6f8fa; stroke: #afb8c1 }
  .box.strong { fill: #ddf4ff; stroke: #0969da }
  .box.good { fill: #dafbe1; stroke: #1a7f37 }
  .box.bad { fill: #ffebe9; stroke: #cf222e }
  .line { stroke: #59636e; stroke-width: 1.5; fill: none } .dashed { stroke-dasharray: 4 4 }
  #head path { fill: #59636e }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } text.small { fill: #9198a1 } text.good { fill: #3fb950 } text.bad { fill: #f85149 }
    .box { fill: #151b23; stroke: #3d444d } .box.strong { fill: #121d2f; stroke: #4493f8 }
    .box.good { fill: #12261e; stroke: #3fb950 } .box.bad { fill: #25171c; stroke: #f85149 }
    .line { stroke: #9198a1 } #head path { fill: #9198a1 }
  }`

export function picture(
  { width, height }: Pick<Area, 'width' | 'height'>,
  described: string,
  shapes: readonly string[],
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(described)}">
<style>${style}
</style>
<defs><marker id="head" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto"><path d="M0,0 L8,4 L0,8 z"/></marker></defs>
${shapes.join('\n')}
</svg>
`
}
