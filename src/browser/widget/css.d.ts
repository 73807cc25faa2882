/** The text of a style sheet, minified when the script is built. */
declare module "*/style.css" {
  const text: string;
  export default text;
}
