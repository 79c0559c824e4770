// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IAddr, IAddress, IContenthash, IEns, IName, IText} from './Ens.sol';

/// On-chain records of names: addresses (ERC-137, ENSIP-9), names, text records (ERC-634) and content hashes.
/// Only the owner of a name, the owner's operators and the reverse registrar can write them.
contract EnsResolver {
    uint256 private constant ETHER = 60;

    IEns public immutable ens;
    address public immutable reverseRegistrar;

    mapping(bytes32 node => mapping(uint256 coinType => bytes)) private _addresses;
    mapping(bytes32 node => mapping(string key => string)) private _texts;
    mapping(bytes32 node => string) private _names;
    mapping(bytes32 node => bytes) private _contenthashes;

    event AddrChanged(bytes32 indexed node, address a);
    event AddressChanged(bytes32 indexed node, uint256 coinType, bytes newAddress);
    event NameChanged(bytes32 indexed node, string name);
    event TextChanged(bytes32 indexed node, string indexed indexedKey, string key, string value);
    event ContenthashChanged(bytes32 indexed node, bytes hash);

    error Unauthorised(bytes32 node, address sender);

    modifier authorised(bytes32 node) {
        address owner = ens.owner(node);
        if (
            msg.sender != owner &&
            msg.sender != reverseRegistrar &&
            !ens.isApprovedForAll(owner, msg.sender)
        ) revert Unauthorised(node, msg.sender);
        _;
    }

    constructor(IEns ens_, address reverseRegistrar_) {
        ens = ens_;
        reverseRegistrar = reverseRegistrar_;
    }

    function addr(bytes32 node) external view returns (address) {
        return address(bytes20(_addresses[node][ETHER]));
    }

    function addr(bytes32 node, uint256 coinType) external view returns (bytes memory) {
        return _addresses[node][coinType];
    }

    function name(bytes32 node) external view returns (string memory) {
        return _names[node];
    }

    function text(bytes32 node, string calldata key) external view returns (string memory) {
        return _texts[node][key];
    }

    function contenthash(bytes32 node) external view returns (bytes memory) {
        return _contenthashes[node];
    }

    function setAddr(bytes32 node, address a) external {
        setAddr(node, ETHER, a == address(0) ? bytes('') : abi.encodePacked(a));
    }

    function setAddr(bytes32 node, uint256 coinType, bytes memory a) public authorised(node) {
        _addresses[node][coinType] = a;
        emit AddressChanged(node, coinType, a);
        if (coinType == ETHER) emit AddrChanged(node, address(bytes20(a)));
    }

    function setName(bytes32 node, string calldata newName) external authorised(node) {
        _names[node] = newName;
        emit NameChanged(node, newName);
    }

    function setText(bytes32 node, string calldata key, string calldata value)
        external
        authorised(node)
    {
        _texts[node][key] = value;
        emit TextChanged(node, key, key, value);
    }

    function setContenthash(bytes32 node, bytes calldata hash) external authorised(node) {
        _contenthashes[node] = hash;
        emit ContenthashChanged(node, hash);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return
            id == 0x01ffc9a7 ||
            id == type(IAddr).interfaceId ||
            id == type(IAddress).interfaceId ||
            id == type(IName).interfaceId ||
            id == type(IText).interfaceId ||
            id == type(IContenthash).interfaceId;
    }
}
