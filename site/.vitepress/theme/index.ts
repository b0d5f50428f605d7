import theme from 'vitepress/theme-without-fonts'
// oxlint-disable-next-line import/no-unassigned-import -- this is how a theme takes its style
import './style.css'

export default theme
