const data = JSON.parse(document.getElementById("data").textContent);
const text = document.createElement("pre");
text.textContent = JSON.stringify(data, null, 2);
document.getElementById("page").append(text);
