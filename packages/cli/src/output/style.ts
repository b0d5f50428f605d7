import { styleText } from 'node:util'

type Paint = (text: string) => string

export interface Style {
  readonly strong: Paint
  readonly faint: Paint
  readonly good: Paint
  readonly warning: Paint
  readonly bad: Paint
}

type Look = Parameters<typeof styleText>[0]

/** Without colour, every function returns its text unchanged. */
export function makeStyle({ colour }: { readonly colour: boolean }): Style {
  const paint =
    (look: Look): Paint =>
    (text) =>
      // Whether to use colour is already decided, by more than the stream: NO_COLOR, --no-color.
      colour ? styleText(look, text, { validateStream: false }) : text
  return {
    strong: paint('bold'),
    faint: paint('dim'),
    good: paint('green'),
    warning: paint('yellow'),
    bad: paint('red'),
  }
}
